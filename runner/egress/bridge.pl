# What bridge.ts beside it does, in a fifth of the memory: a session has one for each engine that runs.
# Both answer alike; where this one does not say that it listens, that one is run.

use strict;
use warnings;
use Errno qw(EINPROGRESS EAGAIN EINTR);
use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);
use Socket qw(PF_INET PF_INET6 PF_UNIX SOCK_STREAM SOL_SOCKET SO_REUSEADDR SO_ERROR IPPROTO_TCP
  TCP_NODELAY inet_pton pack_sockaddr_in pack_sockaddr_in6 pack_sockaddr_un);

# Bytes that wait in one direction of a connection at most.
my $HELD = 65_536;
# How often the engine and the directory are looked at, in seconds: after so long of waiting, and under
# work, which `select` does not count, whenever the clock shows another second. Any other will do, so a
# clock that is set puts off no look.
my $LOOK = 0.1;
my $OFFERS = 4;
# Connections taken from one port in a round at most: more would keep those that are there waiting.
my $TAKEN = 64;

my ($here) = $0 =~ m{^(.*)/}s;
my $engine = $ARGV[0];
my (%listeners, %ends);
my ($offered, $full) = (0, 0);

sub nonblocking {
  my ($socket) = @_;
  fcntl($socket, F_SETFL, fcntl($socket, F_GETFL, 0) | O_NONBLOCK) or return;
  return $socket;
}

# A connection, or one under way; nothing where nobody is.
sub call {
  my ($family, $address) = @_;
  socket(my $socket, $family, SOCK_STREAM, 0) or return;
  nonblocking($socket) or return;
  return ($socket, 0) if connect($socket, $address);
  return $! == EINPROGRESS ? ($socket, 1) : ();
}

sub hold {
  my ($socket, %more) = @_;
  my $end = { socket => $socket, number => fileno $socket, out => '', %more };
  $ends{ $end->{number} } = $end;
  return $end;
}

sub pair {
  my ($near, $far) = @_;
  ($near->{peer}, $far->{peer}) = ($far, $near);
}

# One that breaks takes the other with it.
sub drop {
  my ($end) = @_;
  my @both = grep { defined } $end, $end->{peer};
  for my $each (@both) {
    $offered-- if defined $each->{asked};
    delete $each->{$_} for qw(peer asked);
    delete $ends{ $each->{number} };
    close delete $each->{socket};
  }
}

sub lead {
  my ($port) = @_;
  socket(my $socket, PF_INET, SOCK_STREAM, 0) or return;
  setsockopt($socket, SOL_SOCKET, SO_REUSEADDR, 1);
  bind($socket, pack_sockaddr_in($port, inet_pton(PF_INET, '127.0.0.1'))) or return;
  listen($socket, 511) or return;
  $listeners{$port} = nonblocking($socket);
}

# A port that could not be opened stays its session's own.
my %known;
sub lead_all {
  opendir(my $ports, $here) or return 0;
  my @failed = grep { /^\d+$/ && !$known{$_}++ && !lead($_) } readdir $ports;
  return !@failed;
}

# The way in: while the runner listens beside these sockets, calls wait with it.
sub offer_all {
  while ($offered < $OFFERS && -e "$here/inward") {
    my ($socket) = call(PF_UNIX, pack_sockaddr_un("$here/inward")) or return;
    hold($socket, asked => '');
    $offered++;
  }
}

sub none_taken {
  $full = $! != EAGAIN && $! != EINTR;
  return 0;
}

sub take {
  my ($port) = @_;
  accept(my $near, $listeners{$port}) or return none_taken();
  my ($far) = call(PF_UNIX, pack_sockaddr_un("$here/$port")) or return close $near;
  nonblocking($near);
  setsockopt($near, IPPROTO_TCP, TCP_NODELAY, 1);
  pair(hold($near), hold($far));
  return 1;
}

# The runner asks with a port and an address in a line, and has who listens there, after a sign.
sub answer {
  my ($near) = @_;
  my ($port, $host) = $near->{asked} =~ /^(\d+) (\S+)\n/ or return;
  delete $near->{asked};
  $offered--;
  offer_all();
  my $six = inet_pton(PF_INET6, $host);
  my $four = inet_pton(PF_INET, $host);
  my ($far, $waits) =
      $six  ? call(PF_INET6, pack_sockaddr_in6($port, $six))
    : $four ? call(PF_INET, pack_sockaddr_in($port, $four))
    :         ();
  return drop($near) unless $far;
  pair($near, hold($far, waits => 1));
  connected($near->{peer}) unless $waits;
}

sub connected {
  my ($far) = @_;
  delete $far->{waits};
  return drop($far) if unpack 'i', getsockopt($far->{socket}, SOL_SOCKET, SO_ERROR);
  $far->{peer}{out} = '+';
}

sub hear {
  my ($end) = @_;
  my $got = sysread($end->{socket}, my $bytes, $HELD);
  return $! == EAGAIN || $! == EINTR || drop($end) unless defined $got;
  if (defined $end->{asked}) {
    $end->{asked} .= $bytes;
    return $got == 0 || length $end->{asked} > 200 ? drop($end) : answer($end);
  }
  $end->{heard} = 1 if $got == 0;
  $end->{peer}{out} .= $bytes;
  say_more($end->{peer});
}

sub say_more {
  my ($end) = @_;
  if ($end->{out} ne '') {
    my $gone = syswrite($end->{socket}, $end->{out});
    return $! == EAGAIN || $! == EINTR || drop($end) unless defined $gone;
    substr($end->{out}, 0, $gone, '');
  }
  my $peer = $end->{peer};
  return if $end->{out} ne '' || !$peer || !$peer->{heard} || $end->{said};
  # The other side has said all: so has this one, and both may go once that is so both ways.
  $end->{said} = 1;
  shutdown($end->{socket}, 1);
  drop($end) if $peer->{said};
}

sub wants_to_hear {
  my ($end) = @_;
  return 1 if defined $end->{asked};
  my $peer = $end->{peer};
  return $peer && !$end->{heard} && !$end->{waits} && !$peer->{waits} && length $peer->{out} < $HELD;
}

# It ends with the engine, and not before: one that is told to end still has a last word to its model.
$SIG{$_} = sub { } for qw(INT TERM HUP);
$SIG{PIPE} = 'IGNORE';
lead_all() or exit 1;
offer_all();
open(my $said, '>&=', 3) or exit 1;
syswrite $said, 'open';
close $said;

my ($left, $second) = ($LOOK, time);
while (1) {
  if ($left <= 0 || time != $second) {
    exit 0 unless kill 0, $engine;
    lead_all();
    offer_all();
    ($left, $second, $full) = ($LOOK, time, 0);
  }
  my @round = values %ends;
  my ($hear, $say) = ('', '');
  for my $end (@round) {
    vec($hear, $end->{number}, 1) = 1 if wants_to_hear($end);
    vec($say, $end->{number}, 1) = 1 if $end->{waits} || $end->{out} ne '';
  }
  for (values %listeners) { vec($hear, fileno $_, 1) = 1 unless $full }
  (my $ready, $left) = select($hear, $say, undef, $left);
  next unless $ready > 0;
  for my $end (@round) {
    next unless $end->{socket} && vec($say, $end->{number}, 1);
    $end->{waits} ? connected($end) : say_more($end);
  }
  for my $end (@round) { hear($end) if $end->{socket} && vec($hear, $end->{number}, 1) }
  for my $port (keys %listeners) {
    next unless vec($hear, fileno $listeners{$port}, 1);
    for (1 .. $TAKEN) { take($port) or last }
  }
}
