"""The work of a validation in jobs: several processes do them, and results are kept between runs."""
