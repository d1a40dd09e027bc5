package dev.gatehouse.idp.session;

import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/** The cookie of {@link KnownDevices}: sealed for the realm, 44 bytes per entry, without names in clear. */
final class DeviceCookie {

  /** The device of a person whose login is not complete yet. */
  static final long NO_DEVICE = 0;

  private static final String USE = "known-device";
  private static final int DIGEST_BYTES = 16;
  private static final int ENTRY_BYTES = 2 * DIGEST_BYTES + Long.BYTES + Integer.BYTES;
  private static final int LONGEST = 1024;

  /**
   * A name with which a person logs in.
   *
   * @param name digest of its normal form
   * @param person digest of the directory's id
   * @param device the browser's random id, or {@link #NO_DEVICE}
   * @param at the time of writing, in whole seconds
   */
  record Entry(String name, String person, long device, Instant at) {
    boolean hasDevice() {
      return device != NO_DEVICE;
    }
  }

  private final SealingKey sealing;

  DeviceCookie(SealingKey sealing) {
    this.sealing = sealing;
  }

  static String name(RealmRequest request) {
    return "gh_device." + request.realm().name();
  }

  String digest(String realm, String what, String text) {
    return sealing.digest(text, USE, what, realm).substring(0, 2 * DIGEST_BYTES);
  }

  /** The entries that a request carries. */
  private record Carried(List<Entry> entries) {}

  /** The key under which a request holds its opened cookie: the reader and the cookie's name. */
  private record Opened(DeviceCookie by, String name) {}

  /** Reads the entries; none if the cookie is not ours, was changed, or belongs to another realm. Opened once per request. */
  List<Entry> read(RealmRequest request) {
    return request
        .http()
        .findOnce(new Opened(this, name(request)), Carried.class, () -> new Carried(sent(request)))
        .entries();
  }

  private List<Entry> sent(RealmRequest request) {
    return request
        .http()
        .cookie(Cookies.name(request.origin(), name(request)))
        .filter(value -> value.length() <= LONGEST)
        .map(value -> open(request, value))
        .orElse(List.of());
  }

  private List<Entry> open(RealmRequest request, String value) {
    ByteBuffer bytes;
    try {
      bytes = ByteBuffer.wrap(sealing.open(Base64.getUrlDecoder().decode(value), USE, "cookie", request.realm().name()));
    } catch (IllegalArgumentException | IllegalStateException e) {
      // A cookie may contain anything: the login continues as that of a stranger.
      return List.of();
    }
    List<Entry> entries = new ArrayList<>();
    while (bytes.remaining() >= ENTRY_BYTES) {
      entries.add(
          new Entry(
              HexFormat.of().formatHex(taken(bytes, DIGEST_BYTES)),
              HexFormat.of().formatHex(taken(bytes, DIGEST_BYTES)),
              bytes.getLong(),
              Instant.ofEpochSecond(Integer.toUnsignedLong(bytes.getInt()))));
    }
    return List.copyOf(entries);
  }

  String write(RealmRequest request, List<Entry> entries) {
    ByteBuffer bytes = ByteBuffer.allocate(entries.size() * ENTRY_BYTES);
    for (Entry entry : entries) {
      bytes.put(HexFormat.of().parseHex(entry.name()));
      bytes.put(HexFormat.of().parseHex(entry.person()));
      bytes.putLong(entry.device());
      bytes.putInt((int) entry.at().getEpochSecond());
    }
    byte[] sealed = sealing.seal(bytes.array(), USE, "cookie", request.realm().name());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
  }

  private static byte[] taken(ByteBuffer bytes, int count) {
    byte[] part = new byte[count];
    bytes.get(part);
    return part;
  }
}
