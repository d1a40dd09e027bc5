package dev.gatehouse.common.valkey;

import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.store.SessionKeys;
import io.lettuce.core.Range;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Names of the keys of one store of sessions. A session's member is the beginning of its id, 132 bits of a SHA-256: ids open nothing, and
 * are in the order in which administrators page. Entries of all indexes are spread over 16,384 sorted sets: small ones are stored
 * compactly, a key for each index would take four times the memory. An entry has 64 bits of the hash before the member: readers check
 * each session against the key itself.
 */
final class SessionNames {

  private static final int MEMBER = 22;
  private static final int HASH = 8;

  /** 14 bits of the hash, which are the first of an entry too. */
  private static final int BUCKET_SHIFT = 18;

  /** The place of a session. */
  record Place(byte[] member, String memberText, byte[] key) {}

  private final Names names;
  private final String store;

  SessionNames(Names names, String name) {
    this.names = names;
    this.store = "s:" + name;
  }

  /** Returns the name that separates the values of stores. */
  String store() {
    return store;
  }

  /** As {@link #store}, for idle ends. */
  String idleStore() {
    return "t" + store;
  }

  String prefix() {
    return names.keyText(store + ":");
  }

  Place of(SessionId id) {
    byte[] member = member(id.value());
    return new Place(member, text(member), keyOf(member));
  }

  static byte[] member(String id) {
    byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
    return bytes.length > MEMBER ? Arrays.copyOf(bytes, MEMBER) : bytes;
  }

  static String text(byte[] member) {
    return new String(member, StandardCharsets.ISO_8859_1);
  }

  byte[] keyOf(byte[] member) {
    return names.key(store + ":" + text(member));
  }

  /** Returns the key of a session's idle end. */
  byte[] idleOf(byte[] member) {
    return names.key("t" + store + ":" + text(member));
  }

  byte[] expiries() {
    return names.key("x" + store);
  }

  byte[] realm(String realm) {
    return names.key("r" + store + ":" + names.hash(store, SessionKeys.realm(realm)));
  }

  /** Returns the keys by which a session is indexed, beside its realm. */
  List<String> indexKeys(Session session) {
    List<String> all = SessionKeys.all(session);
    return all.subList(1, all.size());
  }

  byte[] hash(String key) {
    return Arrays.copyOf(names.hashBytes(store, key), HASH);
  }

  byte[] bucket(byte[] hash) {
    return names.key("i" + store + ":" + HexFormat.of().toHexDigits((short) (ByteBuffer.wrap(hash).getInt() >>> BUCKET_SHIFT)));
  }

  /** Adds bucket and entry of an index key to the arguments of a script. */
  void addEntry(List<byte[]> arguments, String key, Place place) {
    byte[] hash = hash(key);
    arguments.add(bucket(hash));
    arguments.add(ByteBuffer.allocate(HASH + place.member().length).put(hash).put(place.member()).array());
  }

  static byte[] memberOf(byte[] entry) {
    return Arrays.copyOfRange(entry, HASH, entry.length);
  }

  /** Returns the range of all entries of a hash; members are ASCII. */
  static Range<byte[]> startingWith(byte[] hash) {
    byte[] end = Arrays.copyOf(hash, HASH + 1);
    end[HASH] = (byte) 0xff;
    return Range.create(hash, end);
  }
}
