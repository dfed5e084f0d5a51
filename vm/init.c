// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The init of the virtual machine, which run.py starts. It mounts /proc, /sys and /dev,
 * mounts the file system under test on /mnt, runs /test there, and reports the exit
 * status of /test on a separate port.
 *
 *   ttyS0  what /test prints, and nothing else
 *   ttyS1  "exit N", written when /test has ended; absent when anything broke
 *   ttyS2  the kernel's messages (console=)
 *
 * If PORTS is hvc, hvc0 and hvc1 take the places of the first two ports.
 *
 * Words of the kernel's command line are the environment. FS is the file system and
 * MODE its utf8val= (MODE "none" mounts without the option, FS "none" mounts nothing).
 * The modules in /modules are loaded first, in the order of their names. If GUARD is set,
 * utf8val-guard is started. The arguments of /test are in /arguments.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int status_port = -1;

static void end(int status)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "exit %d\n", status);

	if (status_port >= 0 && write(status_port, text, (size_t)len) == len)
		tcdrain(status_port);
	tcdrain(STDOUT_FILENO);
	sync();
	reboot(RB_AUTOBOOT);
	/* not reached, as QEMU ends when the machine restarts */
	_exit(status);
}

static void fail(const char *what, const char *which)
{
	int error = errno;

	printf("init: %s %s: %s\n", what, which, strerror(error));
	fflush(stdout);
	end(125);
}

static const char *setting(const char *name, const char *otherwise)
{
	const char *value = getenv(name);

	return value && *value ? value : otherwise;
}

static int open_raw(const char *kind, int number)
{
	struct termios mode;
	char port[32];
	int fd;

	snprintf(port, sizeof(port), "/dev/%s%d", kind, number);
	fd = open(port, O_RDWR | O_NOCTTY);

	if (fd >= 0 && !tcgetattr(fd, &mode)) {
		cfmakeraw(&mode);
		tcsetattr(fd, TCSANOW, &mode);
	}
	return fd;
}

static void mount_system(const char *type, const char *where)
{
	mkdir(where, 0755);
	/* a kernel may lack securityfs and tracefs */
	if (mount(type, where, type, 0, NULL) && errno != ENODEV &&
	    errno != ENOENT && errno != EBUSY)
		fail("mount", where);
}

static void load_module(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		if (errno == ENOENT)
			return;
		fail("open", path);
	}
	/* ENODEV: the module is an alternative for another processor */
	if (syscall(SYS_finit_module, fd, "", 0) && errno != ENODEV)
		fail("load", path);
	close(fd);
}

/* Load the modules of a kernel whose drivers and file systems are modules. */
static void load_modules(void)
{
	struct dirent **list;
	int count = scandir("/modules", &list, NULL, alphasort);
	char path[PATH_MAX];

	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "/modules/%s", list[i]->d_name);
		if (list[i]->d_name[0] != '.')
			load_module(path);
		free(list[i]);
	}
	if (count >= 0)
		free(list);
}

/* Wait for a disk, which the kernel looks for while it does other things. */
static void wait_for(const char *device)
{
	for (int i = 0; i < 30000 && access(device, F_OK); i++)
		usleep(10000);
}

/*
 * With CONFIG_DEBUG_KMEMLEAK: write the objects to which no pointer exists into the
 * kernel's log. kmemleak reports an object only when it is a few seconds old.
 */
static void look_for_leaks(void)
{
	static char report[1 << 16];
	int fd, log;
	ssize_t len;

	if (mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL))
		return;
	fd = open("/sys/kernel/debug/kmemleak", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	for (int i = 0; i < 2; i++) {
		sleep(6);
		if (write(fd, "scan", 4) != 4)
			fail("scan", "kmemleak");
	}
	log = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
	while ((len = read(fd, report, sizeof(report))) > 0) {
		/* a record of the kernel's log has less than 1 KiB */
		for (ssize_t at = 0; at < len; at += 900) {
			ssize_t part = len - at < 900 ? len - at : 900;

			if (write(log, report + at, (size_t)part) != part)
				fail("write", "/dev/kmsg");
		}
	}
	close(log);
	close(fd);
}

static void start_guard(void)
{
	pid_t child;
	int status;

	if (!getenv("GUARD"))
		return;
	child = fork();
	if (!child) {
		/* what a guard that starts prints is not the test's output */
		dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
		execl("/sbin/utf8val-guard", "utf8val-guard", "start", NULL);
		_exit(127);
	}
	if (waitpid(child, &status, 0) != child || status) {
		errno = ECHILD;
		fail("start", "/sbin/utf8val-guard");
	}
}

static void mount_under_test(const char *type, const char *mode)
{
	char options[32] = "";
	const char *device = strcmp(type, "tmpfs") ? "/dev/vda" : type;

	mkdir("/mnt", 0755);
	if (!strcmp(type, "none"))
		return;
	if (strcmp(mode, "none"))
		snprintf(options, sizeof(options), "utf8val=%s", mode);
	if (device[0] == '/')
		wait_for(device);
	if (mount(device, "/mnt", type, 0, options))
		fail("mount /mnt as", type);
}

/*
 * The arguments of /test, which /arguments has, each with a NUL byte behind it. The
 * kernel's command line could not carry spaces, quotes or more than 32 of them.
 */
static char **read_arguments(void)
{
	static char text[1 << 16];
	static char *list[sizeof(text) + 2];
	int fd = open("/arguments", O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text));
	size_t count = 0;

	if (len < 0 || len == sizeof(text))
		fail("read", "/arguments");
	close(fd);
	list[count++] = "/test";
	for (ssize_t at = 0; at < len; at += (ssize_t)strlen(text + at) + 1)
		list[count++] = text + at;
	return list;
}

int main(void)
{
	int port, status;
	char **argv;
	pid_t child;

	mount_system("devtmpfs", "/dev");
	port = open_raw(setting("PORTS", "ttyS"), 0);
	for (int fd = 0; fd < 3 && port >= 0; fd++)
		dup2(port, fd);
	status_port = open_raw(setting("PORTS", "ttyS"), 1);
	mount_system("proc", "/proc");
	mount_system("sysfs", "/sys");
	mount_system("securityfs", "/sys/kernel/security");
	mount_system("tracefs", "/sys/kernel/tracing");
	mkdir("/run", 0755);
	mkdir("/tmp", 01777);
	load_modules();
	start_guard();
	argv = read_arguments();
	mount_under_test(setting("FS", "tmpfs"), setting("MODE", "enforce"));

	child = fork();
	if (child < 0)
		fail("fork", "");
	if (!child) {
		if (chdir("/mnt"))
			_exit(125);
		execv("/test", argv);
		printf("init: cannot run the test: %s\n", strerror(errno));
		fflush(stdout);
		_exit(126);
	}
	while (waitpid(child, &status, 0) != child)
		;
	look_for_leaks();
	end(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}
