"""What studies say: rates, effects, courses of games, and the pages and pictures that show them."""
