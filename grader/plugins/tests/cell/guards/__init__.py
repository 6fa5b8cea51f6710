"""What keeps a test from saying more, or from knowing less, than it seems."""
