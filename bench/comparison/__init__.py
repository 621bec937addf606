"""The parts of bench/peers.py."""
