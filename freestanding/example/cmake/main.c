// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Prints for each line of standard input whether it is UTF-8, and if not, where. A line may
// have any length, and NULs.
#include <stdio.h>
#include <utf8val.h>

static void ended(struct utf8val_stream *line)
{
	struct utf8val_result r = utf8val_stream_finish(line);

	if (r.reason == UTF8VAL_OK)
		puts("ok");
	else
		printf("%s at byte %zu\n", utf8val_reason_name(r.reason), r.valid);
	utf8val_stream_init(line);
}

int main(void)
{
	struct utf8val_stream line;
	int last = '\n';
	int c;

	utf8val_stream_init(&line);
	while ((c = getchar()) != EOF) {
		uint8_t byte = (uint8_t)c;

		if (c == '\n')
			ended(&line);
		else
			utf8val_stream_feed(&line, &byte, 1);
		last = c;
	}
	// the last line may lack its end
	if (last != '\n')
		ended(&line);
	return 0;
}
