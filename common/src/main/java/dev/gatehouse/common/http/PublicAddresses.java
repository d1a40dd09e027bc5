package dev.gatehouse.common.http;

import java.net.Inet4Address;
import java.net.InetAddress;

/**
 * Tells addresses that anybody on the Internet can reach from those of this machine, of private networks and of
 * documentation, and from those that stand for other addresses (IANA's special-purpose registries, RFC 6890).
 */
public final class PublicAddresses {

  private PublicAddresses() {}

  /** Returns whether the address is public; resolves nothing. */
  public static boolean isPublic(InetAddress address) {
    byte[] b = address.getAddress();
    return address instanceof Inet4Address ? isPublic4(b[0] & 0xff, b[1] & 0xff, b[2] & 0xff) : isPublic6(b);
  }

  private static boolean isPublic4(int a, int b, int c) {
    return switch (a) {
      case 0, 10, 127 -> false;
      case 100 -> b < 64 || b > 127;
      case 169 -> b != 254;
      case 172 -> b < 16 || b > 31;
      case 192 -> b != 168 && !(b == 0 && (c == 0 || c == 2)) && !(b == 88 && c == 99);
      case 198 -> b != 18 && b != 19 && !(b == 51 && c == 100);
      case 203 -> !(b == 0 && c == 113);
      default -> a < 224;
    };
  }

  /** Global unicast (2000::/3) without 2001::/23 (Teredo and others), 2001:db8::/32, 2002::/16 (6to4) and 3fff::/20. */
  private static boolean isPublic6(byte[] b) {
    int first = (b[0] & 0xff) << 8 | b[1] & 0xff;
    int second = (b[2] & 0xff) << 8 | b[3] & 0xff;
    boolean global = (first & 0xe000) == 0x2000;
    boolean special =
        (first == 0x2001 && (second < 0x0200 || second == 0x0db8))
            || first == 0x2002
            || (first == 0x3fff && second < 0x1000);
    return global && !special;
  }
}
