// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * make demo: what a mount with utf8val= does to real file names. vm/demo.sh runs this
 * in a virtual machine. Each name is brought into a directory on three mounts. The
 * outcome is compared with the promise:
 *
 *   good names   made everywhere
 *   bad names    EILSEQ on the two that enforce, made on the one that audits
 *
 * The second mount has the file system that the argument names: ext4, on
 * /dev/vda, or overlay. The names are the lines of /names.packages and
 * /names.multilingual; a line that begins with # is a comment.
 */
#include "ways.h"

struct guarded {
	const char *path, *type, *device, *options;
	bool enforce;
};

/* The width of a column that says what became of a name on one mount. */
#define COLUMN 15

#define LAYERS "/layers"
#define UPPER LAYERS "/upper"
#define WORK LAYERS "/work"

static const struct guarded ext4_disk = {
	"/ext4", "ext4", "/dev/vda", "utf8val=enforce", true
};

static const struct guarded over_layers = {
	"/overlay", "overlay", "none",
	"utf8val=enforce,lowerdir=/tmp,upperdir=" UPPER ",workdir=" WORK, true
};

static struct guarded mounts[] = {
	{ "/tmpfs", "tmpfs", "none", "utf8val=enforce", true },
	{ 0 },			/* over_layers or ext4_disk, as the argument says */
	{ "/audit", "tmpfs", "none", "utf8val=audit", false },
};

static const char *mode_name(const struct guarded *mount)
{
	return mount->enforce ? "enforce" : "audit";
}

static unsigned int made, refused, surprises;

/* Print a name: printable ASCII as it is, any other byte as \xNN, cut to the width. */
static void print_name(const char *name, int width)
{
	int used = 0;

	for (; *name; name++) {
		unsigned char byte = (unsigned char)*name;
		bool plain = byte >= 0x20 && byte < 0x7F && byte != '\\';

		if (used + (plain ? 1 : 4) > width - (name[1] ? 3 : 0)) {
			used += printf("...");
			break;
		}
		used += plain ? printf("%c", byte) : printf("\\x%02X", byte);
	}
	printf("%*s", width - used, "");
}

static const char *outcome_name(int result)
{
	return result ? strerrorname_np(-result) : "made";
}

/* Try a name on a mount, and remove it. Returns: 0 or a negative errno. */
static int outcome(const struct guarded *mount, size_t op, const char *name)
{
	int got;

	go(mount->path);
	do_create("moving");
	got = plain_ways[op].enter(name);
	made += !got;
	refused += got == -EILSEQ;
	if (!got)
		remove(name);
	return got;
}

static void tell_surprise(const struct guarded *mount, size_t op,
			  const char *name, int got, int want)
{
	surprises++;
	printf("UNEXPECTED: ");
	print_name(name, 46);
	printf("  %s on %s: %s, not %s\n", plain_ways[op].name, mount->type,
	       outcome_name(got), outcome_name(want));
}

/* Try each good name by one operation, by turns, as there are many names. */
static void try_file(const char *path, const char *kind)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	size_t names = 0;
	unsigned int before = surprises;
	ssize_t len;

	if (!file) {
		perror(path);
		exit(1);
	}
	while ((len = getline(&line, &size, file)) > 0) {
		size_t op = names % ARRAY_SIZE(plain_ways);

		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		if (line[0] == '#')
			continue;
		names++;
		for (size_t i = 0; i < ARRAY_SIZE(mounts); i++) {
			int got = outcome(&mounts[i], op, line);

			if (got)
				tell_surprise(&mounts[i], op, line, got, 0);
		}
	}
	free(line);
	fclose(file);
	printf("%zu %s: %s\n", names, kind,
	       surprises == before ? "made on each" : "not all made, see above");
}

/* Try a bad name by every operation; a word for each mount where all agree. */
static void try_bad(const struct bad_name *name)
{
	print_name(name->bytes, 28);
	printf("  %-28s", name->kind);
	for (size_t i = 0; i < ARRAY_SIZE(mounts); i++) {
		int want = mounts[i].enforce ? -EILSEQ : 0;
		unsigned int before = surprises;

		for (size_t op = 0; op < ARRAY_SIZE(plain_ways); op++) {
			int got = outcome(&mounts[i], op, name->bytes);

			if (got != want) {
				printf("\n");
				tell_surprise(&mounts[i], op, name->bytes, got, want);
			}
		}
		if (surprises == before)
			printf("  %-*s", COLUMN, outcome_name(want));
	}
	printf("\n");
}

/* Make the overlay's layers on a tmpfs of its own that is mounted without option. */
static bool make_layers(void)
{
	return !mkdir(LAYERS, 0755) && !mount("none", LAYERS, "tmpfs", 0, NULL) &&
	       !mkdir(UPPER, 0755) && !mkdir(WORK, 0755);
}

int main(int argc, char **argv)
{
	bool overlay = argc > 1 && !strcmp(argv[1], over_layers.type);

	mounts[1] = overlay ? over_layers : ext4_disk;
	if (overlay && !make_layers()) {
		perror(LAYERS);
		return 1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(mounts); i++) {
		const struct guarded *m = &mounts[i];

		mkdir(m->path, 0755);
		if (mount(m->device, m->path, m->type, 0, m->options) ||
		    chdir(m->path) || do_create("seed")) {
			perror(m->path);
			return 1;
		}
		printf("mounted %s on %s with utf8val=%s\n", m->type, m->path,
		       mode_name(m));
	}
	printf("\n");
	try_file("/names.packages", "names of files in Debian's packages");
	try_file("/names.multilingual", "names in many scripts");
	printf("%zu bad names, each by create, mkdir, symlink, mknod, link and rename:\n\n",
	       BAD_NAMES);
	printf("%-28s  %-28s", "name", "what is wrong");
	for (size_t i = 0; i < ARRAY_SIZE(mounts); i++)
		printf("  %s %-*s", mounts[i].type,
		       COLUMN - 1 - (int)strlen(mounts[i].type), mode_name(&mounts[i]));
	printf("\n");
	for (size_t i = 0; i < BAD_NAMES; i++)
		try_bad(&bad_names[i]);
	printf("\n%u made, %u refused with EILSEQ, %u not as promised\n", made,
	       refused, surprises);
	return surprises || !made || !refused;
}
