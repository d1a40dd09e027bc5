package dev.gatehouse.common.node;

import dev.gatehouse.common.realm.Cidr;
import java.net.InetAddress;
import java.util.List;

/**
 * The proxies and balancers whose statements count.
 *
 * @param fields the only fields that count; a proxy passes on the other ones as the client wrote them
 */
public record TrustedProxies(List<Cidr> blocks, ForwardedFields fields) {

  /** No proxy is trusted. */
  public static final TrustedProxies NONE = of(List.of());

  /** The fields in which proxies state the client's address and the original origin. */
  public enum ForwardedFields {
    /** {@code X-Forwarded-For}, {@code -Proto}, {@code -Host} and {@code -Port}. */
    X_FORWARDED,
    /** {@code Forwarded} of RFC 7239. */
    FORWARDED
  }

  public TrustedProxies {
    blocks = List.copyOf(blocks);
  }

  /** Returns proxies that write the X-Forwarded fields. */
  public static TrustedProxies of(List<Cidr> blocks) {
    return new TrustedProxies(blocks, ForwardedFields.X_FORWARDED);
  }

  public boolean isTrusted(InetAddress address) {
    for (Cidr block : blocks) {
      if (block.contains(address)) {
        return true;
      }
    }
    return false;
  }

  public boolean isEmpty() {
    return blocks.isEmpty();
  }
}
