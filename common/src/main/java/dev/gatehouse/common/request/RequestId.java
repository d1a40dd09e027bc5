package dev.gatehouse.common.request;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The id of a request. The client gets it in {@value #FIELD} and reads it on an error page, the app gets it, and the access log, the audit
 * log and the log have it, so that it finds all of them. A listener binds it to the thread that works on the request.
 */
public final class RequestId {

  /** The field in requests and responses. */
  public static final String FIELD = "X-Request-Id";

  private static final ScopedValue<String> CURRENT = ScopedValue.newInstance();

  /** Without characters that look alike, because people read ids out. */
  private static final String ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";

  private static final int DIGITS_OF_HALF = 6;
  private static final long HALF = 0xffffffffL;
  private static final int LONGEST = 64;

  private RequestId() {}

  /** A new id: 12 characters with 59 random bits. */
  public static String create(RandomGenerator random) {
    // Not nextLong, for which SecureRandom asks its provider twice.
    byte[] drawn = new byte[Long.BYTES];
    random.nextBytes(drawn);
    long bits = ByteBuffer.wrap(drawn).getLong();
    char[] id = new char[2 * DIGITS_OF_HALF];
    digits(bits >>> 32, id, 0);
    digits(bits & HALF, id, DIGITS_OF_HALF);
    return new String(id);
  }

  /** Writes the leading digits of the fraction that 32 bits are, which costs no division. */
  private static void digits(long half, char[] to, int from) {
    long rest = half;
    for (int i = from; i < from + DIGITS_OF_HALF; i++) {
      rest *= ALPHABET.length();
      to[i] = ALPHABET.charAt((int) (rest >>> 32));
      rest &= HALF;
    }
  }

  /** Returns whether an id has the form of those that {@link #create} makes. */
  public static boolean isCreated(String id) {
    return id.length() == 2 * DIGITS_OF_HALF && id.chars().allMatch(digit -> ALPHABET.indexOf(digit) >= 0);
  }

  /** Returns whether an id that a trusted proxy sent can be used: it stands in logs and pages as it is. */
  public static boolean isUsable(String id) {
    if (id.isEmpty() || id.length() > LONGEST) {
      return false;
    }
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      boolean usable = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-';
      if (!usable) {
        return false;
      }
    }
    return true;
  }

  /** The id of the request that this thread works on; empty outside of requests. */
  public static Optional<String> current() {
    return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
  }

  /**
   * Calls the work of a request.
   *
   * @param id empty for what the node does by itself
   */
  public static <T, X extends Throwable> T call(String id, ScopedValue.CallableOp<? extends T, X> work) throws X {
    return id.isEmpty() ? work.call() : ScopedValue.where(CURRENT, id).call(work);
  }
}
