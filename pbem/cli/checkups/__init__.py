"""What ``pbem doctor`` looks at, one module for each place: this machine, the store, the post, and
the names of the domain. Looking changes nothing and sends nothing."""
