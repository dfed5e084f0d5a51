/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * An NFS server and its clients in one machine, for programs that run as root in
 * the virtual machine. They tell knfsd what mountd and exportfs would tell it.
 */
#ifndef UTF8VAL_VM_NFS_H
#define UTF8VAL_VM_NFS_H

#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "fs.h"
#include "tap.h"

#define FOREVER "2147483647"
/* NFSEXP_INSECURE_PORT, _ASYNC, _NOSUBTREECHECK, _FSID, _CROSSMOUNT */
#define EXPORT_FLAGS "25618"
#define CACHES "/proc/net/rpc/"
#define OPTIONS "vers=4.0,addr=127.0.0.1,clientaddr=127.0.0.1,acregmax=0,acdirmax=0,lookupcache=none"

static inline int loopback_up(void)
{
	struct ifreq request = { .ifr_name = "lo",
				 .ifr_flags = IFF_UP | IFF_RUNNING };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int result = err(ioctl(fd, SIOCSIFFLAGS, &request));

	close(fd);
	return result;
}

/*
 * Start knfsd for version 4 alone, which needs no rpcbind and no mountd. The
 * mounts /export and /export/sub are there.
 */
static inline bool server(void)
{
	static const struct {
		const char *file, *text;
	} steps[] = {
		{ CACHES "auth.unix.ip/channel",
		  "nfsd 127.0.0.1 " FOREVER " all\n" },
		/*
		 * knfsd keeps requests of a user whose groups are not here, for
		 * somebody to tell of them
		 */
		{ CACHES "auth.unix.gid/channel", "0 " FOREVER " 1 0\n" },
		{ CACHES "auth.unix.gid/channel", "1000 " FOREVER " 1 1000\n" },
		{ CACHES "auth.unix.gid/channel", "1001 " FOREVER " 1 1001\n" },
		{ CACHES "nfsd.export/channel",
		  "all /export " FOREVER " " EXPORT_FLAGS " 65534 65534 0\n" },
		{ CACHES "nfsd.export/channel",
		  "all /export/sub " FOREVER " " EXPORT_FLAGS
		  " 65534 65534 1\n" },
		{ CACHES "nfsd.fh/channel",
		  "all 1 \\x00000000 " FOREVER " /export\n" },
		{ CACHES "nfsd.fh/channel",
		  "all 1 \\x01000000 " FOREVER " /export/sub\n" },
		{ "/proc/fs/nfsd/versions", "-2 -3 +4\n" },
		{ "/proc/fs/nfsd/nfsv4leasetime", "10\n" },
		{ "/proc/fs/nfsd/nfsv4gracetime", "10\n" },
		/* Linux 7 needs to be told to listen */
		{ "/proc/fs/nfsd/portlist", "tcp 2049\n" },
		{ "/proc/fs/nfsd/threads", "4\n" },
	};
	int result;

	result = loopback_up();
	if (result)
		return tap(false, "loopback: %d", result);
	result = do_mount("nfsd", "nfsd", "/proc/fs/nfsd", NULL);
	if (result)
		return tap(false, "nfsd: %d", result);
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		result = put(steps[i].file, steps[i].text);
		/* a kernel may lack version 2 */
		if (result && !strstr(steps[i].file, "versions"))
			return tap(false, "%s: %d", steps[i].file, result);
	}
	put("/proc/fs/nfsd/v4_end_grace", "Y\n");
	return true;
}

static inline int client_of(const char *what, const char *where, const char *option)
{
	return do_mount("nfs", what, where,
			text_of(OPTIONS "%s%s", *option ? "," : "", option));
}

static inline int client(const char *where, const char *option)
{
	return client_of("127.0.0.1:/", where, option);
}

#endif /* UTF8VAL_VM_NFS_H */
