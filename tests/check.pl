#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Run suites by TAP::Harness and count their points; the last line is "N passed, N failed, N
# skipped". SUITE is make's goal suite-SUITE; needs-SUITE builds what it needs, before, by one
# make for all. A suite whose status is not 0, that prints no plan or another number of
# points, or none, or "Bail out!", that leaves processes behind or says nothing for --silence
# seconds, has failed. Exit status: 0 when nothing failed, 1 otherwise, 128 and its number
# after a signal, which ends the suites first.
#
# Usage: tests/check.pl [OPTION...] SUITE... [-- SUITE-WITHOUT-NEIGHBOURS...]
#   --logs=DIR (build/logs), --jobs=N (processors and one more, as most suites wait now
#   and then), --silence=SECONDS, --farewell=SECONDS (10) for a suite that has to end,
#   --junit=FILE, --skips=FILE with lines "SUITE REASON" of what cannot run here,
#   --agree=TEXT: a diagnostic that begins so must be the same in all suites that have one
use strict;
use warnings;
use File::Path qw(make_path);
use Getopt::Long qw(:config require_order);
use IO::Select;
use IPC::Open3 qw(open3);
use POSIX qw(WNOHANG);
use TAP::Harness;
use TAP::Parser::Aggregator;
use Time::HiRes qw(time);
require 'sys/syscall.ph';
use constant { TICK => 0.2, SET_CHILD_SUBREAPER => 36 };
my (%at, @count, $told, $junit) = (logs => 'build/logs', silence => 'inf', farewell => 10,
	jobs => 1 + `getconf _NPROCESSORS_ONLN`, junit => '', skips => '/dev/null', agree => '');

# what suites print may be no text
sub clean { return $_[0] =~ s/([^ -~])/sprintf '\\x%02x', ord $1/ger }

# watch PARSER, [SUITE, ...]: counts the suite's points, and tells of them at its end
sub watch {
	my ($parser, $job) = @_;
	my ($name, $kind, $text, @sum) = ($job->[0], 0, '', 0, 0, 0);
	my @faults;
	$parser->callback(test => sub {
		# what has failed was tried, whatever its directive says
		$kind = !$_[0]->is_actual_ok ? 1 : $_[0]->has_skip ? 2 : 0;
		$sum[$kind]++;
		$text .= '   ' . clean($_[0]->raw) . "\n" if $kind;
	});
	$parser->callback(comment => sub {
		my $line = clean($_[0]->raw);
		push @faults, $1 if $line =~ /^# runner: (.*)/;
		$text .= "     $line\n" if $kind == 1;
		push @faults, "$line; another suite has: $told"
			if $at{agree} && $line =~ /^# \Q$at{agree}/ && $line ne ($told //= $line);
	});
	$parser->callback(EOF => sub {
		$parser->exit(1) if @faults;
		@faults = (map({ clean($_) } $parser->parse_errors), @faults,
			grep({ $_ } @sum) ? () : 'ran no test') if !$sum[1];
		$sum[1]++ if @faults;
		printf "== $name: %d passed, %d failed, %d skipped in %.0f s\n", @sum,
			$parser->end_time - $parser->start_time;
		print $text, map({ "   $_\n" } @faults), $sum[1] ? "the whole output: $at{logs}/$name.log\n" : ();
		$count[$_] += $sum[$_] for 0 .. 2;
	});
}

sub first_line {
	open my $file, '<', $_[0] or return '';
	return <$file> // '';
}

# all processes below a process, except zombies
sub descendants {
	my @children = map { split ' ', first_line($_) } glob "/proc/$_[0]/task/*/children";
	return map { ($_, descendants($_)) } grep { first_line("/proc/$_/stat") =~ /\) [^ZX] / } @children;
}

# The end of this pipe that is written to closes with this process, which all keepers see.
pipe my $life, my $life_end or die;

# keep NAME COMMAND...: a handle that gives the command's output in whole lines. They come
# from a keeper, a process that runs the command in a session of its own, without standard
# input, and ends all that the command leaves behind. What the command writes to standard
# error is shown at once, after NAME; both go to NAME's log. A line "# runner: ..."
# tells what was wrong besides the tests. The command is ended, too, after silence, by a
# signal, and with this process; it gets some seconds to clear away its things.
sub keep {
	my ($name, @command) = @_;
	my $pid = open(my $lines, '-|') // die "check: fork: $!\n";
	return $lines if $pid;
	my $log_path = "$at{logs}/$name.log";
	open my $log, '>', $log_path or print(STDERR "check: $log_path: $!\n"), POSIX::_exit(1);
	# STAGE counts the signals that were sent; the next one is DUE then.
	my ($heard, $failed, $stopped, $stage, $due, $status, $unwritten) = (time, 0, 0, 0);
	my $fault = sub { $failed = 1; print "# runner: @_\n" };
	$SIG{$_} = sub { $stopped = 1 } for grep { ref $SIG{$_} } keys %SIG;
	close $life_end;
	# A process that loses its parent becomes this process's child, whatever its session.
	syscall(SYS_prctl(), SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0 or die "check: prctl: $!\n";
	open my $null, '<', '/dev/null' or die;
	my $child = open3('<&' . fileno $null, my $out, my $err = Symbol::gensym(), 'setsid', @command);
	$_->autoflush for *STDOUT, $log;
	my %shown = ($out => [*STDOUT, '', ''], $err => [*STDERR, "   $name: ", '# stderr: '], $life => []);
	my %rest = map { $_ => '' } keys %shown;
	my $select = IO::Select->new($out, $err, $life);
	while (1) {
		my $before = time;
		my @ready = $select->count ? $select->can_read(TICK) : select undef, undef, undef, TICK;
		for my $file (@ready = grep { ref } @ready) {
			my ($to, $before_shown, $before_logged) = @{ $shown{$file} };
			if (!sysread $file, $rest{$file}, 1 << 16, length $rest{$file}) {
				$rest{$file} .= "\n" if length $rest{$file};
				$select->remove($file);
				$stopped = 1 if $file == $life;
			}
			while ($rest{$file} =~ s/^(.*?\n)//s) {
				my $line = $1;
				print $log $before_logged, $line or $unwritten //= $!;
				# The word "Bail out!" itself would make TAP::Harness end all suites.
				$failed |= $line =~ s/^\s*Bail out!\s*/# runner: bailed out: / || $line =~ /^not ok/;
				print $to $before_shown, $line if !$stopped;
			}
		}
		# A keeper that slept for much longer was stopped, perhaps together with the
		# processes that it listens to.
		$heard = time if @ready or time > $before + TICK + 1;
		while ((my $ended = waitpid -1, WNOHANG) > 0) {
			($status, $due) = ($?, time + $at{farewell}) if $ended == $child;
		}
		my @left = defined $status || $stage ? descendants($$) : $child;
		last if !@left && (time > $due || !grep { $select->exists($_) } $out, $err);
		if (!$stage && !$stopped) {
			next if defined $status ? time < $due || @ready : time < $heard + $at{silence};
			$fault->(defined $status ? 'left ' . @left . ' of its processes running' :
				'ended, having said nothing for too long');
		}
		next if $stage && time < $due;
		kill +($stage++ ? 'KILL' : 'TERM'), descendants($$);
		$due = time + $at{farewell};
	}
	$fault->("$log_path cannot be written: $unwritten") if $unwritten;
	$fault->('ended with status ' . ($status >> 8 || 128 + $status)) if ($status || $stopped) && !$failed;
	POSIX::_exit(0);
}

sub usage { print STDERR "check: @_\n"; exit 2 }
GetOptions(\%at, qw(logs=s skips=s agree=s jobs=f silence=f farewell=f junit=s)) && @ARGV or
	usage('usage: tests/check.pl [OPTION...] SUITE... [-- SUITE-WITHOUT-NEIGHBOURS...]');
$at{$_} > 0 or usage("--$_: $at{$_} is not above 0") for qw(jobs silence farewell);
make_path($at{logs}, $at{junit} =~ m{(.*)/}, { error => \my $errors });
my @together = ([]);
$_ eq '--' ? push @together, [] : push @{ $together[-1] }, $_ for @ARGV;
open my $skips, '<', $at{skips} or usage("--skips: $at{skips}: $!");
my %skip = map { /^(\S+) (.*)/ } <$skips>;
if ($at{junit}) {
	# before half an hour has passed; an earlier run's results are not this one's
	eval { require TAP::Formatter::JUnit } or
		usage("--junit: there is no libtap-formatter-junit-perl; 'make deps-junit' installs it");
	open my $file, '>', $at{junit} or usage("--junit: $at{junit}: $!");
	$junit = TAP::Formatter::JUnit->new({ stdout => $file, timer => 1 });
}

my %status = (HUP => 129, INT => 130, QUIT => 131, TERM => 143, PIPE => 1);
for my $name (grep { ($SIG{$_} // '') ne 'IGNORE' } keys %status) {
	$SIG{$name} = sub {
		# make gets a second signal from timeout(1) and from a terminal
		$SIG{$_} = 'IGNORE' for keys %status;
		$SIG{ALRM} = sub { POSIX::_exit($status{$name}) };
		alarm 5 + 3 * $at{farewell};
		close $life_end;
		1 while wait > 0;
		POSIX::_exit($status{$name});
	};
}

# Suites install no packages, because make check did before.
$ENV{DEPS} = 'no';
my @make = qw(make --no-print-directory -s);
$| = 1;
if (my @needs = map { "needs-$_" } grep { !$skip{$_} } map { @$_ } @together) {
	# what cannot be built is told again, by the suite that needs it
	print "== building what the suites need\n";
	my $lines = keep('needs', @make, '-k', '-j' . int $at{jobs}, @needs);
	while (<$lines>) { print "   $1\n" if /^# runner: (.*)/ }
}
my $harness = TAP::Harness->new({
	$junit ? (formatter => $junit) : (formatter_class => 'TAP::Formatter::File', verbosity => -3),
	callbacks => { made_parser => \&watch },
	exec => sub {
		return $skip{ $_[1] } ? "1..1\nok 1 - the whole suite # SKIP $skip{ $_[1] }\n" :
			keep($_[1], @make, "suite-$_[1]");
	},
});
my $all = TAP::Parser::Aggregator->new;
for my $some (grep { @$_ } @together) {
	$harness->jobs($some == $together[0] ? int $at{jobs} : 1);
	$harness->aggregate_tests($all, @$some);
}
if ($junit) {
	$junit->summary($all);
	close $junit->stdout or ++$count[1], print STDERR "check: $at{junit} cannot be written: $!\n";
}
printf "== %d s in all\n%d passed, %d failed, %d skipped\n", time - $^T, map { $_ // 0 } @count[0 .. 2];
exit($count[1] ? 1 : 0);
