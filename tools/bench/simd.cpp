// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* simdjson and simdutf as peers: the best of their kernels that this processor can run. */
#include <simdjson.h>
#include <simdutf.h>
#include <string>

#include "bench.h"

extern "C" bool bench_simdjson(const void *buf, size_t len)
{
	return simdjson::validate_utf8(static_cast<const char *>(buf), len);
}

extern "C" bool bench_simdutf(const void *buf, size_t len)
{
	return simdutf::validate_utf8(static_cast<const char *>(buf), len);
}

/* The function of simdutf that also says where the first error is. */
extern "C" bool bench_simdutf_position(const void *buf, size_t len)
{
	return simdutf::validate_utf8_with_errors(static_cast<const char *>(buf), len)
		.error == simdutf::SUCCESS;
}

extern "C" const char *bench_simdjson_name(void)
{
	static const std::string name(simdjson::get_active_implementation()->name());

	return name.c_str();
}

extern "C" const char *bench_simdutf_name(void)
{
	static const std::string name(simdutf::get_active_implementation()->name());

	return name.c_str();
}
