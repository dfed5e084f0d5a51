// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* simdutf as a peer: the best of its kernels that this processor can run. */
#include <simdutf.h>
#include <string>

#include "bench.h"

extern "C" bool bench_simdutf(const void *buf, size_t len)
{
	return simdutf::validate_utf8(static_cast<const char *>(buf), len);
}

extern "C" const char *bench_simdutf_name(void)
{
	static const std::string name(simdutf::get_active_implementation()->name());

	return name.c_str();
}
