package dev.gatehouse.gateway.netty.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.Set;

/** What a client's ClientHello (RFC 8446, section 4.1.2) tells about the client. */
public final class ClientHello {

  private static final AttributeKey<Integer> DIGEST = AttributeKey.valueOf(ClientHello.class, "digest");

  private static final int SUPPORTED_GROUPS = 10;
  private static final int SIGNATURE_ALGORITHMS = 13;

  /**
   * Extensions that one browser sends on some of its connections only: server_name (addresses have none), ALPN and ALPS (WebSockets have
   * no HTTP/2), padding, session_ticket, pre_shared_key, early_data, cookie, renegotiation_info and encrypted_client_hello.
   */
  private static final Set<Integer> OF_ONE_CONNECTION = Set.of(0, 16, 17513, 17613, 21, 35, 41, 42, 44, 65281, 65037);

  /** Instead of the digest of a message that was not read: a client could send one, and must not pass for one without TLS by it. */
  static final int UNREAD = 65_536;

  private static final int RANDOM_END = 34;
  private static final int FACTOR = 0x9E3779B1;

  private ClientHello() {}

  static void keep(Channel channel, int digest) {
    channel.attr(DIGEST).set(digest);
  }

  /** Returns the digest of the ClientHello of that connection; 0 without TLS. */
  public static int digestOf(Channel channel) {
    Integer digest = channel.attr(DIGEST).get();
    return digest == null ? 0 : digest;
  }

  /**
   * Returns a digest, from 1 to 65535, of the cipher suites, the extensions in any order (browsers shuffle them), the groups and the
   * signature algorithms; {@link #UNREAD} for a message that cannot be parsed. GREASE (RFC 8701) does not count.
   */
  static int digest(ByteBuf hello) {
    try {
      int suites = suites(hello);
      int digest = values(hello, suites + 2, suites + 2 + hello.getUnsignedShort(suites));
      int of = 0;
      for (int at = extensions(hello); at + 4 <= hello.writerIndex(); at = next(hello, at)) {
        int type = hello.getUnsignedShort(at);
        if (isGrease(type) || OF_ONE_CONNECTION.contains(type)) {
          continue;
        }
        boolean hasValues = type == SUPPORTED_GROUPS || type == SIGNATURE_ALGORITHMS;
        of += mixed(type + (hasValues ? values(hello, at + 6, next(hello, at)) : 0));
      }
      return Integer.remainderUnsigned(mixed(digest + of), 65_535) + 1;
    } catch (IndexOutOfBoundsException e) {
      return UNREAD;
    }
  }

  /** Returns whether signature_algorithms (RFC 8446, section 4.2.3) contains ECDSA on one of the usual curves. */
  static boolean verifiesEcdsa(ByteBuf hello) {
    try {
      for (int at = extensions(hello); at + 4 <= hello.writerIndex(); at = next(hello, at)) {
        if (hello.getUnsignedShort(at) == SIGNATURE_ALGORITHMS) {
          return hasEcdsa(hello, at + 6, Math.min(hello.writerIndex(), next(hello, at)));
        }
      }
    } catch (IndexOutOfBoundsException e) {
      // The TLS handler cannot parse such a message either, and reports the error.
      return false;
    }
    return false;
  }

  private static boolean hasEcdsa(ByteBuf hello, int from, int end) {
    for (int i = from; i + 2 <= end; i += 2) {
      int scheme = hello.getUnsignedShort(i);
      if (scheme == 0x0403 || scheme == 0x0503 || scheme == 0x0603) {
        return true;
      }
    }
    return false;
  }

  /** The index of cipher_suites, behind the session id. */
  private static int suites(ByteBuf hello) {
    int at = hello.readerIndex() + RANDOM_END;
    return at + 1 + hello.getUnsignedByte(at);
  }

  /** The index of the first extension, behind the compression methods and the length of all extensions. */
  private static int extensions(ByteBuf hello) {
    int at = suites(hello);
    at += 2 + hello.getUnsignedShort(at);
    return at + 1 + hello.getUnsignedByte(at) + 2;
  }

  private static int next(ByteBuf hello, int extension) {
    return extension + 4 + hello.getUnsignedShort(extension + 2);
  }

  /** A digest of a list of numbers of two bytes each, in their order. */
  private static int values(ByteBuf hello, int from, int end) {
    int digest = 0;
    for (int i = from; i + 2 <= end; i += 2) {
      int value = hello.getUnsignedShort(i);
      digest = isGrease(value) ? digest : mixed(31 * digest + value);
    }
    return digest;
  }

  private static boolean isGrease(int value) {
    return (value & 0x0f0f) == 0x0a0a && value >>> 8 == (value & 0xff);
  }

  private static int mixed(int value) {
    int product = (value + 1) * FACTOR;
    return product ^ product >>> 15;
  }
}
