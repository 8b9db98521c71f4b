"""What optimal choices always do, and what they are obliged to do."""
