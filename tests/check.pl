#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Run suites that print TAP by TAP::Harness and count their points; the last line is
# "N passed, N failed, N skipped". SUITE is make's goal suite-SUITE; needs-SUITE builds
# what it needs, before, by one make for all. A suite whose status is not 0, that prints
# no plan or another number of points, or none, or "Bail out!", that leaves processes
# behind or says nothing for --silence seconds, has failed. Exit status: 0 when nothing
# failed, 1 otherwise, 128 and its number after a signal, which ends the suites first.
#
# Usage: tests/check.pl [OPTION...] SUITE... [-- SUITE-WITHOUT-NEIGHBOURS...]
#   --logs=DIR (build/logs), --jobs=N (processors and one more, as most suites wait now
#   and then), --silence=SECONDS, --farewell=SECONDS (10) for a suite that has to end,
#   --junit=FILE, --skips=FILE with lines "SUITE REASON" of what cannot run here,
#   --agree=TEXT: diagnostics that begin so must be the same in all suites that have one
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Path qw(make_path);
use Getopt::Long qw(:config require_order);
use POSIX ();
use TAP::Harness;
use TAP::Parser::Aggregator;
my (%at, @count, %told, $junit) = (logs => 'build/logs', silence => 'inf', farewell => 10,
	jobs => 1 + `getconf _NPROCESSORS_ONLN`, junit => '', skips => '/dev/null', agree => '');

# what suites print may be no text
sub clean {
	my $text = "@_";
	utf8::decode($text);
	$text =~ s/([\x00-\x1f\x7f-\x9f])/sprintf '\\x%02x', ord $1/ge;
	utf8::encode($text) if utf8::is_utf8($text) or $text =~ s/([^ -~])/sprintf '\\x%02x', ord $1/ge;
	return $text;
}

package Suite {
	use parent 'TAP::Formatter::Session';

	sub result {
		my ($self, $line) = @_;
		$self->{junit}->result($line) if $junit;
		if ($line->is_test) {
			# what has failed was tried, whatever its directive says
			$self->{kind} = !$line->is_actual_ok ? 1 : $line->has_skip ? 2 : 0;
			$self->{count}[$self->{kind}]++;
			$self->{text} .= '   ' . main::clean($line->raw) . "\n" if $self->{kind};
		} elsif ($line->is_comment) {
			my $text = main::clean($line->raw);
			push @{ $self->{faults} }, $1 if $text =~ /^# runner: (.*)/;
			$self->{text} .= "     $text\n" if ($self->{kind} // 0) == 1;
			$told{$text}{ $self->name } = 1 if $at{agree} && $text =~ /^# \Q$at{agree}/;
		}
	}

	sub close_test {
		my ($self) = @_;
		$self->{junit}->close_test if $junit;
		my $parser = $self->parser;
		my @sum = map { $self->{count}[$_] // 0 } 0 .. 2;
		my @faults = @{ $self->{faults} // [] };
		@faults = map { main::clean($_) } $parser->parse_errors,
			(grep { $_ } @sum) ? () : 'ran no test',
			$parser->exit ? 'ended with status ' . $parser->exit : () if !@faults && !$sum[1];
		$sum[1]++ if @faults;
		printf "== %s: %d passed, %d failed, %d skipped in %.0f s\n", $self->name, @sum,
			$parser->end_time - $parser->start_time;
		print $self->{text} // '', map { "   $_\n" } @faults,
			$sum[1] ? "the whole output: $at{logs}/" . $self->name . '.log' : ();
		$count[$_] += $sum[$_] for 0 .. 2;
	}
}

package Suites {
	use parent 'TAP::Formatter::Base';

	sub open_test {
		my ($self, $name, $parser) = @_;
		my $suite = Suite->new({ name => $name, formatter => $self, parser => $parser });
		$suite->{junit} = $junit->open_test($name, $parser) if $junit;
		return $suite;
	}
}

package main;
sub usage { print STDERR "check: @_\n"; exit 2 }
GetOptions(\%at, qw(logs=s skips=s agree=s jobs=f silence=f farewell=f junit=s)) && @ARGV or
	usage('usage: tests/check.pl [OPTION...] SUITE... [-- SUITE-WITHOUT-NEIGHBOURS...]');
$at{$_} > 0 or usage("--$_: $at{$_} is not above 0") for qw(jobs silence farewell);
make_path($at{logs}, $at{junit} ? dirname($at{junit}) : (), { error => \my $errors });
-d $at{logs} or usage("--logs: $at{logs} cannot be made");
my $begin = time;
my ($alone, @together) = (undef, []);
$_ eq '--' ? push @together, [] : push @{ $together[-1] }, $_ for @ARGV;
my @suites = map { @$_ } @together;
open my $skips, '<', $at{skips} or usage("--skips: $at{skips}: $!");
my %skip = map { /^(\S+) (.*)/ } <$skips>;
if ($at{junit}) {
	# before half an hour has passed; an earlier run's results are not this one's
	eval { require TAP::Formatter::JUnit } or
		usage("--junit: there is no libtap-formatter-junit-perl; 'make deps-junit' installs it");
	open my $file, '>', $at{junit} or usage("--junit: $at{junit}: $!");
	$junit = TAP::Formatter::JUnit->new({ stdout => $file, timer => 1 });
}

# What suites write to standard error goes past the harness, which would show nothing
# before the suite's next point. Suites install no packages, because make check did before.
open my $progress, '>&', \*STDERR or die;
{ local $^F = 99; open $progress, '>&', \*STDERR or die }
$ENV{DEPS} = 'no';
my @keep = ($^X, dirname(abs_path($0)) . '/lib/keep.pl', fileno $progress, @at{qw(silence farewell)});
my @make = qw(make --no-print-directory -s);

my $main = $$;
sub end {
	my ($status) = @_;
	$$ == $main or POSIX::_exit(1);
	# make gets a second signal from timeout(1) and from a terminal
	$SIG{$_} = 'IGNORE' for qw(INT TERM HUP QUIT PIPE);
	for (glob '/proc/[0-9]*/stat') {
		open my $stat, '<', $_ or next;
		kill TERM => $1 if (<$stat> // '') =~ /^(\d+) .*\) \S $main /s;
	}
	$SIG{ALRM} = sub { POSIX::_exit($status) };
	alarm 5 + 3 * $at{farewell};
	1 while wait > 0;
	POSIX::_exit($status);
}
my %status = (HUP => 129, INT => 130, QUIT => 131, TERM => 143, PIPE => 1);
for my $name (grep { ($SIG{$_} // '') ne 'IGNORE' } keys %status) {
	$SIG{$name} = sub { end($status{$name}) };
}

$| = 1;
if (my @needs = map { "needs-$_" } grep { !$skip{$_} } @suites) {
	# what cannot be built is told again, by the suite that needs it
	print "== building what the suites need\n";
	open my $build, '-|', @keep, "$at{logs}/needs.log", 'needs', @make, '-k', '-j' . int $at{jobs},
		@needs or die;
	while (<$build>) { print "   $1\n" if /^# runner: (.*)/ }
	printf "   built in %d s\n", time - $begin;
}
my $harness = TAP::Harness->new({ formatter => Suites->new({ verbosity => -3 }), exec => sub {
	my $why = $skip{ $_[1] };
	return ['printf', '1..1\nok 1 - the whole suite # SKIP %s\n', $why] if $why;
	return [@keep, "$at{logs}/$_[1].log", $_[1], @make, "suite-$_[1]"];
} });
my $all = TAP::Parser::Aggregator->new;
$all->start;
for my $some (grep { @$_ } @together) {
	$harness->jobs($some == $together[0] ? int $at{jobs} : 1);
	$harness->aggregate_tests($all, @$some);
}
$all->stop;
if (%told) {
	# one count in all suites
	$count[keys %told > 1]++;
	print "== $at{agree}\n", map { "   $_: " . join(' ', sort keys %{ $told{$_} }) . "\n" } sort keys %told;
}
if ($junit) {
	$junit->summary($all);
	close $junit->stdout or ++$count[1], print STDERR "check: $at{junit} cannot be written: $!\n";
}
printf "== %d s in all\n%d passed, %d failed, %d skipped\n", time - $begin, map { $_ // 0 } @count[0 .. 2];
exit($count[1] ? 1 : 0);
