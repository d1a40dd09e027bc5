package dev.gatehouse.common.valkey;

/** Hears what the server reports about keys that this node has read. Methods are quick: they run on the connection's thread. */
interface LinkListener {

  /** Another node, or this one, changed the key. */
  void changed(byte[] key);

  /** Nothing that was read before counts any more: connections were lost, or the server forgot what it tracked. */
  void unverified();
}
