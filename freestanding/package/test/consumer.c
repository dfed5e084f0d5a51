// SPDX-License-Identifier: GPL-2.0-only OR MIT
// What anybody's program would do first; exit status 0 when it works.
#include <utf8val.h>

int main(void)
{
	struct utf8val_result bad = utf8val_check("ab\xE4\xBD", 4);

	return !(utf8val_valid("\xC2\xA9 2026", 7) && bad.valid == 2 &&
		 bad.bad == 2 && bad.reason == UTF8VAL_TRUNCATED);
}
