"""Pictures of boards, knights' tours and images, which specs name as renderers."""
