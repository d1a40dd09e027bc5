package dev.gatehouse.common.store;

import java.util.Optional;

/**
 * Copies of what is stored elsewhere, for as long as this process runs: each start begins with none. They are on the node's disk, so that
 * there may be more of them than memory is for, and nothing is lost with them. Whether a copy is still so, its user must know.
 */
public interface CopyStore {

  /** Returns the copy that was kept last for the key; empty if there is none. */
  Optional<byte[]> get(String key);

  /** Keeps a copy. Returns false if that is not possible: the one before may still be there. */
  boolean put(String key, byte[] copy);
}
