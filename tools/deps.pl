#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Make sure that the Debian packages a job needs are installed.
#
# tools/packages lists them by job, in groups. What is missing is installed by apt-get
# satisfy as root, or through sudo, which may ask for a password at a terminal; what is
# run is said first. Without either, the line to run is printed. With DEPS=no in the
# environment nothing is installed. A package that this release lacks is an error for a
# group that is named; "all", all groups but those apart, and --suites name it and go on.
#
# Usage: tools/deps.pl [--list | --size] GROUP... | all | --suites SUITE...
#   --list    only print the packages
#   --size    only print what they take on a Debian that has nothing but git and make
#   --suites  the groups of these suites
#        tools/deps.pl --skips | --table | --check
#   --skips   print the suites that lack a package here, one a line, with the reason
#   --table   print what runs on which release, as Markdown
#   --check   print what is wrong with tools/packages
# Exit status: 0 when everything is there, 1 when not, 2 for unusable arguments.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);

my $here = dirname(abs_path($0));
# Groups that `make check-all` does not need: hours of tests, and jobs that only measure.
my $apart = 'bench vm-full recording';
my %release = (bookworm => 'Debian 12', trixie => 'Debian 13');
my (@known, %group, %os);
if (open my $file, '<', '/etc/os-release') {
	%os = map { /^(\w+)="?(.*?)"?$/ } <$file>;
}
my $system = join ' ', $os{NAME} // 'this system', $os{VERSION_ID} // ();
open my $file, '<', "$here/packages" or die "deps: $here/packages: $!\n";
for (split /\n\n+/, join '', grep { !/^#/ } <$file>) {
	s/\n / /g;
	my %field = /^(\w+): (.*)$/mg;
	push @known, $field{Group};
	$group{ $field{Group} } = \%field;
}

sub say_so { print STDERR "deps: @_\n" }
sub once { my %seen; return grep { !$seen{$_}++ } @_ }
# the words of a field of these groups and of all that belong to them
sub words {
	my ($field, @groups) = @_;
	return once(map { words($field, split ' ', $group{$_}{Groups} // ''),
		split ' ', $group{$_}{$field} // '' } @groups);
}
sub needed { return grep { !/\?$/ } @_ }
sub instead { my ($other, @groups) = @_; return join("\n", map { $group{$_}{Instead} // () } @groups) || $other }
# the words, as one dependency
sub dependency { return join ', ', map { s/\?$//r =~ s/\|/ | /gr } @_ }
# the words of which no alternative is among these packages
sub without {
	my ($packages, @words) = @_;
	my %there = map { $_ => 1 } split /\n/, $packages;
	return grep { !grep { $there{$_} } split /\||\?$/ } @words;
}
# the words of which no alternative is installed
sub missing {
	return without(join('', `dpkg-query -W -f '\${db:Status-Status} \${Package}\\n' 2>/dev/null` =~
		/^installed (.*\n)/mg), @_);
}
# the words that this release has no package for
sub lacking {
	my @names = map { split /\||\?$/ } @_ or return;
	return without(join('', `apt-cache show --no-all-versions @names 2>/dev/null` =~
		/^Package: (.*\n)/mg), @_);
}
# [SUITE, GROUP] of each suite
sub suites { return map { [(split)[0, 2]] } `"$here/../tests/suite" --table` }

sub skips {
	my @absent = missing(needed(words('Packages', @known)));
	my %absent = map { $_ => 'absent' } @absent;
	$absent{$_} = 'gone' for lacking(@absent);
	my @suites = suites();
	for my $name (@known) {
		my @here = grep { $absent{$_} } words('Packages', $name) or next;
		my @gone = grep { $absent{$_} eq 'gone' } @here;
		my $why = @gone ? "$system has no @gone; instead: " . instead('a release that has it', $name) :
			"@here not installed; first: make deps-$name";
		print "$_->[0] $why\n" for grep { $_->[1] eq $name } @suites;
	}
}

sub table {
	my @names = sort keys %release;
	print join(' | ', '| group', 'what for', @release{@names}), " |\n|---|---|---|---|\n";
	for my $name (@known) {
		my @lacks = sort(words('Lacks', $name));
		my @here = map { my $at = $_; join ' ', map { m{^\Q$at\E/(.*)} } @lacks } @names;
		print join(' | ', "| $name", $group{$name}{For}, map { $_ ? "no $_" : 'yes' } @here), " |\n";
	}
}

# suites of no group, kernels of a release that is not known here, what debian/control
# needs or names and nobody has, and what this release lacks or has against what is stated
sub check {
	print map { "suite $_->[0] is of no group: $_->[1]\n" } grep { !$group{ $_->[1] } } suites();
	print map { "vm/kernels: $_ is of no release in tools/deps.pl: add it to %release there\n" }
		grep { !$release{ s/-.*//r } } split ' ', `cd "$here/.." && tools/table.sh vm/kernels release`;
	open my $file, '<', "$here/../debian/control" or die "deps: debian/control: $!\n";
	my $control = join '', <$file>;
	my ($needs) = $control =~ /^Build-Depends: (.*?)^\S/ms;
	print map { "debian/control needs $_, which the group packaging has not\n" }
		without(join("\n", words('Packages', 'packaging')),
			map { s/-compat$//r =~ s/^dh-sequence/dh/r } $needs =~ /^\s*([\w-]+)/mg);
	print map { "debian/ names $_, which is no package of debian/control\n" }
		without(join("\n", $control =~ /^Package: (.*)/mg),
			once("$control @{[glob qq($here/../debian/*.*)]}" =~ /\b(?:lib)?utf8val-[a-z]+/g));
	my $codename = $os{VERSION_CODENAME} // '';
	return if !$release{$codename};
	my @lacks = lacking(missing(needed(words('Packages', @known))));
	my @stated = map { m{^\Q$codename\E/(.*)} } words('Lacks', @known);
	print map { "$codename lacks, as no group says: $_\n" } without(join("\n", @stated), @lacks);
	print map { "$codename has, against its group: $_\n" } without(join("\n", @lacks), @stated);
}

sub size {
	my ($dependency) = @_;
	my $new = sub {
		return map { /^Inst (\S+)/ } `apt-get -s -qq --no-install-recommends \\
			-o Dir::State::status=/dev/null satisfy '@_' 2>/dev/null`;
	};
	my $bare = join ', ', qw(apt ca-certificates git make),
		map { /^Package: ([^\n]*).*^Priority: required$/ms } split /\n\n/, `apt-cache dumpavail`;
	my @packages = once(without(join("\n", $new->($bare)), $new->("$bare, $dependency")));
	my ($fetched, $disk) = (0, 0);
	for (@packages ? `apt-cache --no-all-versions show @packages` : ()) {
		$fetched += $1 if /^Size: (\d+)/;
		$disk += $1 if /^Installed-Size: (\d+)/;
	}
	printf "%s: %d packages, %.0f MB to fetch, %.0f MB installed\n", "@ARGV", scalar @packages,
		$fetched / 1e6, $disk * 1024 / 1e6;
}

my $sudo = '';
# A new machine may be busy with its own updates; without a network an update fails,
# which is no error by default.
sub apt_get {
	say_so(($sudo ? "$sudo " : '') . "apt-get @_   (DEPS=no prevents this)");
	return 0 == system split(' ', $sudo), qw(env DEBIAN_FRONTEND=noninteractive apt-get -qq
		-o DPkg::Lock::Timeout=600 -o APT::Update::Error-Mode=any), @_;
}

# fail DEPENDENCY WHY...: where root would have to do it, also what root has to run
sub fail {
	my ($dependency, @why) = @_;
	say_so($_) for @why;
	if ($sudo) {
		say_so('packages are missing; as root, run:');
		print STDERR "  apt-get update && apt-get satisfy -y --no-install-recommends '$dependency'\n";
		say_so('or go on without them, with DEPS=no');
	}
	exit 1;
}

sub install {
	my ($go_on, @groups) = @_;
	my @missing = missing(words('Packages', @groups));
	return if !needed(@missing);
	open STDOUT, '>&', \*STDERR;
	if ($>) {
		$sudo = 'sudo';
		system('command -v sudo >/dev/null') == 0 &&
			(-t STDIN || system('sudo -n true 2>/dev/null') == 0) or fail(dependency(@missing));
	}
	my $updated = apt_get('update');
	my @lacking = lacking(@missing);
	my @gone = needed(@lacking);
	fail(dependency(@missing), 'apt-get update failed; its own message stands above. Is there a network?')
		if @gone && !$updated;
	say_so("$system has no @gone") if @gone;
	if (@gone && !$go_on) {
		say_so('instead: ' . instead('another release', @groups));
		exit 1;
	}
	my %lacking = map { $_ => 1 } @lacking;
	my @had = grep { !$lacking{$_} } @missing or return;
	apt_get(qw(satisfy -y --no-install-recommends), dependency(@had)) or
		fail(dependency(@had), 'apt-get failed; its own message stands above. Nothing else was done.');
}

my %alone = ('--skips' => \&skips, '--table' => \&table, '--check' => \&check);
my $action = ($ARGV[0] // '') =~ /^--(list|size)$/ ? shift : '';
my $first = $ARGV[0] // '';
if ($alone{$first}) {
	$alone{$first}->();
	exit;
}
if ($first eq '--suites') {
	my %asked = map { $_ => 1 } @ARGV;
	@ARGV = ('check', once(map { $asked{ $_->[0] } ? $_->[1] : () } suites()));
} elsif ($first =~ /^-/) {
	print STDERR "usage: tools/deps.pl [--list | --size] GROUP... | all | --suites SUITE...\n";
	exit 2;
} elsif ($first eq 'all') {
	@ARGV = grep { " $apart " !~ / \Q$_\E / } @known;
}
if (!@ARGV || grep { !$group{$_} } @ARGV) {
	say_so("groups are: all @known");
	exit 2;
}
my $deps = $ENV{DEPS} // '';
if ($action eq '--list') {
	print map { "$_\n" } words('Packages', @ARGV);
} elsif ($action eq '--size') {
	size(dependency(words('Packages', @ARGV)));
} elsif ($deps !~ /^(no)?$/) {
	say_so("DEPS=$deps: there is only DEPS=no, which installs nothing");
	exit 2;
} elsif (!$deps && system('command -v dpkg-query >/dev/null && command -v apt-get >/dev/null')) {
	say_so("this is no Debian system, see to it yourself that there is what 'tools/deps.pl --list @ARGV' prints");
} elsif (!$deps) {
	install(scalar($first =~ /^(--suites|all)$/), @ARGV);
}
