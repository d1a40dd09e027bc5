package dev.gatehouse.common.store;

import dev.gatehouse.common.session.SessionId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Records in numbered slots, found by id and listed in the order of ids. Slots are chained, one chain for each range of the
 * ids' first five characters. Ids are hashes, so the chains are about equally short. Overhead: two four-byte numbers a session. Not
 * thread-safe.
 * thread-safe.
 */
final class SessionSlots {

  static final int NONE = -1;

  private static final int PREFIX_CHARACTERS = 5;
  private static final int PREFIX_BITS = 6 * PREFIX_CHARACTERS;
  private static final int FIRST_BITS = 4;
  private static final int MAX_BITS = 24;
  private static final int MAX_IN_CHAIN = 4;
  private static final byte[] EMPTY = {};

  private byte[][] records = new byte[16][];
  private int[] next = new int[16];
  private int[] heads = heads(FIRST_BITS);
  private int bits = FIRST_BITS;
  private int taken;
  private int free = NONE;
  private int size;

  SessionSlots() {
    Arrays.fill(records, EMPTY);
  }

  /** Returns how many records can be found. */
  int size() {
    return size;
  }

  int find(SessionId id, byte[] key) {
    int slot = heads[chain(id)];
    while (slot != NONE && !SessionRecord.hasKey(records[slot], key)) {
      slot = next[slot];
    }
    return slot;
  }

  byte[] record(int slot) {
    return records[slot];
  }

  /** Whether the slot still holds a record. */
  boolean isHeld(int slot) {
    return records[slot].length > 0;
  }

  int add(SessionId id, byte[] record) {
    if (size >= MAX_IN_CHAIN << bits && bits < MAX_BITS) {
      rechain(bits + 1);
    }
    int slot = free != NONE ? free : grow();
    if (slot == free) {
      free = next[slot];
    }
    records[slot] = record;
    int chain = chain(id);
    next[slot] = heads[chain];
    heads[chain] = slot;
    size++;
    return slot;
  }

  void replace(int slot, byte[] record) {
    records[slot] = record;
  }

  /** Removes the record; its slot is not reused before {@link #release}. */
  void drop(int slot) {
    int chain = chain(SessionRecord.id(records[slot]));
    if (heads[chain] == slot) {
      heads[chain] = next[slot];
    } else {
      int before = heads[chain];
      while (next[before] != slot) {
        before = next[before];
      }
      next[before] = next[slot];
    }
    records[slot] = EMPTY;
    size--;
  }

  void release(int slot) {
    next[slot] = free;
    free = slot;
  }

  /** Returns records with greater ids, in order, from whole chains until there are at least {@code least}. */
  List<byte[]> after(String id, int least) {
    List<byte[]> found = new ArrayList<>();
    for (int chain = chain(new SessionId(id)); chain < heads.length && found.size() < least; chain++) {
      List<byte[]> ofChain = new ArrayList<>();
      for (int slot = heads[chain]; slot != NONE; slot = next[slot]) {
        if (SessionRecord.id(records[slot]).value().compareTo(id) > 0) {
          ofChain.add(records[slot]);
        }
      }
      ofChain.sort(Comparator.comparing(record -> SessionRecord.id(record).value()));
      found.addAll(ofChain);
    }
    return found;
  }

  private int grow() {
    if (taken == records.length) {
      int wanted = taken + Math.max(16, taken / 8);
      records = Arrays.copyOf(records, wanted);
      Arrays.fill(records, taken, wanted, EMPTY);
      next = Arrays.copyOf(next, wanted);
    }
    return taken++;
  }

  private void rechain(int moreBits) {
    int[] old = heads;
    heads = heads(moreBits);
    bits = moreBits;
    for (int head : old) {
      int slot = head;
      while (slot != NONE) {
        int following = next[slot];
        int chain = chain(SessionRecord.id(records[slot]));
        next[slot] = heads[chain];
        heads[chain] = slot;
        slot = following;
      }
    }
  }

  private int chain(SessionId id) {
    return prefix(id.value()) >>> PREFIX_BITS - bits;
  }

  /**
   * Maps each of the first characters to six bits, so that the order of prefixes is the order of ids. A character outside
   * base64url gets the rank of the next lower base64url character and sorts after everything that begins with that character.
   */
  static int prefix(String id) {
    int prefix = 0;
    for (int i = 0; i < PREFIX_CHARACTERS; i++) {
      int rest = 6 * (PREFIX_CHARACTERS - i);
      if (i == id.length() || id.charAt(i) < '-') {
        return prefix << rest;
      }
      int rank = rank(id.charAt(i));
      if (rank < 0) {
        return (prefix << 6 | ~rank) << rest - 6 | (1 << rest - 6) - 1;
      }
      prefix = prefix << 6 | rank;
    }
    return prefix;
  }

  /** Returns the rank among the base64url characters in string order; for others {@code ~rank} of the greatest lower one. */
  private static int rank(char c) {
    if (c <= '9') {
      return c >= '0' ? 1 + c - '0' : c == '-' ? 0 : ~0;
    }
    if (c <= 'Z') {
      return c >= 'A' ? 11 + c - 'A' : ~10;
    }
    if (c <= '_') {
      return c == '_' ? 37 : ~36;
    }
    if (c <= 'z') {
      return c >= 'a' ? 38 + c - 'a' : ~37;
    }
    return ~63;
  }

  private static int[] heads(int bits) {
    int[] heads = new int[1 << bits];
    Arrays.fill(heads, NONE);
    return heads;
  }
}
