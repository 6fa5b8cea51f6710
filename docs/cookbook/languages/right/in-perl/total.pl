use strict;
use warnings;
use Scalar::Util qw(looks_like_number);

my $total = 0;
while (my $line = <STDIN>) {
    chomp $line;
    if (!looks_like_number($line)) {
        print STDERR "no number\n";
        exit 2;
    }
    $total += $line;
}
print "$total\n";
