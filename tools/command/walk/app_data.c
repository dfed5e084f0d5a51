// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Directories that belong to a program, such as .git, recognised by names in them. The
 * walk leaves them alone unless --app-data is given.
 */
#include "walk/app_data.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARKERS 3
#define OWN(what) "this is " what "; --app-data renames it"

/* Each application has its bits of walk_dir.app_markers, one for each marker. */
static const struct application {
	const char *message;
	const char *name;		/* that its directory has; NULL: any */
	const char *markers[MARKERS];	/* entries, all of which it has */
} applications[] = {
	{ OWN("Git's own data"), ".git", { NULL } },
	{ OWN("Git's own data"), NULL, { "HEAD", "objects", "refs" } },
	{ OWN("Mercurial's own data"), ".hg", { NULL } },
	{ OWN("Subversion's own data"), ".svn", { NULL } },
	{ OWN("a maildir, in which names are data"), NULL, { "cur", "new", "tmp" } },
	{ OWN("a folder that Syncthing keeps the same elsewhere"), NULL,
	  { ".stfolder" } },
	{ OWN("Nextcloud's data, whose names its database has"), NULL, { ".ncdata" } },
	{ OWN("Nextcloud's data, whose names its database has"), NULL, { ".ocdata" } },
	{ OWN("Docker's storage, whose layers have to stay as they were made"),
	  "overlay2", { "l" } },
	{ OWN("Podman's storage, whose layers have to stay as they were made"),
	  "overlay", { "l" } },
	{ OWN("a storage of containers, whose layers have to stay as they were made"),
	  "vfs", { "dir" } },
	{ OWN("containerd's storage, whose layers have to stay as they were made"),
	  "io.containerd.snapshotter.v1.overlayfs", { NULL } },
	{ OWN("containerd's storage, whose layers have to stay as they were made"),
	  "io.containerd.snapshotter.v1.native", { NULL } },
	{ OWN("what a check of the file system has found"), "lost+found", { NULL } },
};

#define APPLICATIONS (sizeof(applications) / sizeof(applications[0]))
_Static_assert(APPLICATIONS * MARKERS <= 64, "too few bits");

/* values of walk_dir.app_data: not asked yet, no application, or the first of them */
enum { UNKNOWN, NONE, FIRST };

static uint64_t marker_bit(size_t application, unsigned int marker)
{
	return UINT64_C(1) << (application * MARKERS + marker);
}

void app_data_note(struct walk_dir *dir, const char *name, size_t len)
{
	/* the longest has 9 bytes: most names are none of them */
	if (len > 9)
		return;
	for (size_t i = 0; i < APPLICATIONS; i++) {
		const char *const *markers = applications[i].markers;

		for (unsigned int k = 0; k < MARKERS && markers[k]; k++) {
			if (*name == *markers[k] && !strcmp(name, markers[k]))
				dir->app_markers |= marker_bit(i, k);
		}
	}
}

/* Which application has a directory of this name and with these markers? */
static unsigned char find(const char *name, size_t len, uint64_t markers)
{
	for (size_t i = 0; i < APPLICATIONS; i++) {
		const struct application *own = &applications[i];
		bool all = !own->name || (strlen(own->name) == len &&
					  !memcmp(own->name, name, len));

		for (unsigned int k = 0; k < MARKERS && own->markers[k]; k++)
			all &= (markers & marker_bit(i, k)) != 0;
		if (all)
			return (unsigned char)(FIRST + i);
	}
	return NONE;
}

/* The markers of a directory that no walk has read. */
static uint64_t look_for_markers(int dir)
{
	uint64_t found = 0;

	for (size_t i = 0; i < APPLICATIONS; i++) {
		const char *const *markers = applications[i].markers;

		for (unsigned int k = 0; k < MARKERS && markers[k]; k++) {
			if (!faccessat(dir, markers[k], F_OK, AT_SYMLINK_NOFOLLOW))
				found |= marker_bit(i, k);
		}
	}
	return found;
}

/*
 * Which application owns a root of the walk, or a directory above the root? The path
 * only tells the names of these directories: it may be longer than a system call takes.
 */
static unsigned char find_above(const struct walk_dir *root)
{
	char *real = realpath(root->len ? root->name : ".", NULL);
	static unsigned char last_app;
	static char *last;		/* many roots may be files of one directory */
	unsigned char app = NONE;
	size_t len = real ? strlen(real) : 0;
	int dir;

	if (last && real && !strcmp(last, real)) {
		free(real);
		return last_app;
	}
	free(last);
	last = real;
	dir = walk_open_root(root);
	while (app == NONE && len && dir >= 0) {
		const char *name = (const char *)memrchr(real, '/', len) + 1;
		int above = openat(dir, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);

		app = find(name, len - (size_t)(name - real), look_for_markers(dir));
		len = (size_t)(name - real) - 1;
		close(dir);
		dir = above;
	}
	if (dir >= 0)
		close(dir);
	last_app = app;
	return app;
}

const char *app_data_message(struct walk_dir *dir)
{
	struct walk_dir *known = dir;
	unsigned char app;

	while (!known->app_data && known->parent)
		known = known->parent;
	if (!known->app_data) {
		known->app_data = find(known->name, 0, known->app_markers);
		if (known->app_data == NONE)
			known->app_data = find_above(known);
	}
	/* what is below an application's data is its data, too */
	for (unsigned int depth = known->depth; depth < dir->depth; depth++) {
		struct walk_dir *below = (struct walk_dir *)(uintptr_t)walk_above(
			dir, depth + 1);

		app = below->parent->app_data;
		if (app == NONE)
			app = find(below->name, below->len, below->app_markers);
		below->app_data = app;
	}
	return dir->app_data == NONE ? NULL : applications[dir->app_data - FIRST].message;
}
