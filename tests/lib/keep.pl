#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# For check.pl: run a command in a session of its own, without standard input, and end
# all that the command leaves behind. Its output goes to standard output in whole lines,
# its standard error to the file descriptor PROGRESS, with NAME before each line; both go
# to LOG. A line "# runner: ..." tells what was wrong besides the tests; the status is
# then 1. The command is ended, too, after SILENCE seconds without output, by a signal,
# and with the parent of this process; it gets FAREWELL seconds to clear away its things.
#
# Usage: keep.pl PROGRESS SILENCE FAREWELL LOG NAME COMMAND...
use strict;
use warnings;
use IO::Select;
use POSIX qw(setsid WNOHANG);
use Time::HiRes qw(time);
require 'sys/syscall.ph';

use constant { TICK => 0.2, SET_CHILD_SUBREAPER => 36 };
my ($progress, $silence, $farewell, $log_path, $name, @command) = @ARGV;
my ($failed, $stopped, $parent) = (0, 0, getppid);
open my $error, '>&=', $progress or die "keep: $progress: $!";
$_->autoflush for $error, *STDOUT;
sub fault { $failed = 1; print "# runner: @_\n" }

# a process that loses its parent becomes this process's child, whatever its session
syscall(SYS_prctl(), SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0 or die "keep: prctl: $!";
for (qw(INT TERM HUP QUIT)) {
	$SIG{$_} = sub { $stopped = 1 } if ($SIG{$_} // '') ne 'IGNORE';
}
pipe my $out, my $out_end or die;
pipe my $err, my $err_end or die;
my $child = fork // die "keep: fork: $!";
if (!$child) {
	setsid;
	open STDIN, '<', '/dev/null';
	open STDOUT, '>&', $out_end;
	open STDERR, '>&', $err_end;
	exec { $command[0] } @command or POSIX::_exit(127);
}
$SIG{PIPE} = 'IGNORE';
close $_ for $out_end, $err_end;
open my $log, '>', $log_path or fault("$log_path cannot be written: $!");
$log->autoflush if fileno $log;

sub line {
	my ($text, $is_error) = @_;
	if (fileno $log && !print $log $is_error ? "# stderr: $text\n" : "$text\n") {
		fault("$log_path cannot be written: $!");
		close $log;
	}
	return print $error "   $name: $text\n" if $is_error;
	# The word "Bail out!" itself would make TAP::Harness end all suites.
	$failed = 1 if $text =~ s/^\s*Bail out!\s*/# runner: bailed out: /;
	print "$text\n" if !$stopped;
}

# All processes below this one, except zombies.
sub descendants {
	my (%below, @found);
	for (glob '/proc/[0-9]*/stat') {
		open my $stat, '<', $_ or next;
		push @{ $below{$3} }, [$1, $2] if (<$stat> // '') =~ /^(\d+) .*\) (\S) (\d+)/s;
	}
	my @left = @{ $below{$$} // [] };
	while (my $next = shift @left) {
		push @left, @{ $below{ $next->[0] } // [] };
		push @found, $next->[0] if $next->[1] !~ /[ZX]/;
	}
	return @found;
}

# STAGE counts the signals that were sent; the next one is DUE then
my ($heard, $stage, $due, $status) = (time, 0);
my %rest = ($out => '', $err => '');
my $select = IO::Select->new($out, $err);
while (1) {
	my $before = time;
	my @ready = $select->count ? $select->can_read(TICK) : select undef, undef, undef, TICK;
	for my $file (grep { ref } @ready) {
		my $end = !sysread $file, $rest{$file}, 1 << 16, length $rest{$file};
		$rest{$file} .= "\n" if $end && length $rest{$file};
		line($1, $file == $err) while $rest{$file} =~ s/^(.*?)\n//s;
		$select->remove($file) if $end;
	}
	# A keeper that slept for much longer was stopped, perhaps together with the
	# processes that it listens to.
	$heard = time if grep { ref } @ready or time > $before + TICK + 1;
	while ((my $pid = waitpid -1, WNOHANG) > 0) {
		($status, $due) = ($?, time + $farewell) if $pid == $child;
	}
	my @left = defined $status || $stage ? descendants() : $child;
	last if !@left && (!$select->count || time > $due);
	my $told = $stopped || getppid != $parent;
	if (!$stage && !$told) {
		next if defined $status ? time < $due || grep { ref } @ready : time < $heard + $silence;
		fault(defined $status ? 'left ' . @left . ' of its processes running' :
			'ended, having said nothing for too long');
	}
	next if $stage && time < $due;
	$stopped = 1 if $told;
	kill +($stage++ ? 'KILL' : 'TERM'), descendants();
	$due = time + $farewell;
}
exit 1 if $failed || $stopped;
exit($status & 127 ? 128 + ($status & 127) : $status >> 8);
