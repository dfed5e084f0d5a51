/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Arrays that grow by one item at a time. All directories of the command use them. */
#ifndef UTF8VAL_BASE_ARRAY_H
#define UTF8VAL_BASE_ARRAY_H

#include <stddef.h>

/* More items, of that size, than there were; *room becomes how many there may be. */
void *array_more(void *items, size_t size, size_t *room);

/**
 * array_next() - the place of one more item, which is counted
 * @items: a pointer to the first item; NULL while @room is 0
 * @count: a size_t: how many items there are
 * @room: a size_t: how many there may be
 *
 * All three are variables, which change. The item at that place is not initialised.
 */
#define array_next(items, count, room)                                        \
	((count) == (room) ?                                                  \
		 (void)((items) = array_more((items), sizeof(*(items)),       \
					     &(room))) :                      \
		 (void)0,                                                     \
	 &(items)[(count)++])

#endif /* UTF8VAL_BASE_ARRAY_H */
