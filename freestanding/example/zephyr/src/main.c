// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Checks a packet that a radio could have delivered.
#include <stdio.h>
#include <utf8val.h>

int main(void)
{
	static const char packet[] = "21 \302\260C, caf\351";
	struct utf8val_result r = utf8val_check(packet, sizeof(packet) - 1);

	printf("%s at byte %u\n", utf8val_reason_name(r.reason),
	       (unsigned int)r.valid);
	return 0;
}
