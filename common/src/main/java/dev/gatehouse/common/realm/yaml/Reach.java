package dev.gatehouse.common.realm.yaml;

/**
 * What a host or URL in a realm's configuration is to the node. Keys of such values declare it, because administrators of one realm
 * may only use what {@code realms.NAME} of {@code gatehouse.yaml} grants it.
 */
public enum Reach {
  /** An origin or name at which people reach the realm. */
  HOST,

  /** The URL of a server of an app; the word {@code none} is no server. */
  UPSTREAM,

  /** A URL that the node itself connects to. A value without {@code ://} is a file. */
  OUTBOUND,

  /** A URL or host to which only browsers go, or which is only compared with others. */
  NAME_ONLY
}
