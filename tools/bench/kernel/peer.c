// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's utf8_validate(): fs/unicode, compiled for user space. Its two
 * large sources come from a kernel tree as they are; utf8_validate() itself, in
 * utf8-core.c, is one call.
 */
#include "utf8n.h"

#include "../bench.h"

extern struct utf8data_table utf8_data_table;

bool bench_kernel(const void *buf, size_t len)
{
	/* as utf8_load() finds it for the latest version: the last table */
	struct unicode_map map = { .tables = &utf8_data_table };

	map.ntab[UTF8_NFDI] = utf8_data_table.utf8nfdidata +
			      utf8_data_table.utf8nfdidata_size - 1;
	map.version = map.ntab[UTF8_NFDI]->maxage;
	return utf8nlen(&map, UTF8_NFDI, buf, len) >= 0;
}
