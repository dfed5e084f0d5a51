// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Says of each line of standard input whether it is UTF-8, and if not, where.
#include <stdio.h>
#include <string.h>
#include <utf8val.h>

int main(void)
{
	char line[256];

	while (fgets(line, sizeof(line), stdin)) {
		struct utf8val_result r;

		r = utf8val_check(line, strcspn(line, "\n"));
		if (r.reason == UTF8VAL_OK)
			puts("ok");
		else
			printf("%s at byte %zu\n",
			       utf8val_reason_name(r.reason), r.valid);
	}
	return 0;
}
