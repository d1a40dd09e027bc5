package dev.gatehouse.common.valkey;

import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.throttle.QuotaAccount;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An account in Valkey, for all nodes. Holders are hashed; keys of entries must tell nothing. No acknowledgement is waited for: a promotion
 * may forget the entries of its last moment, which then expire uncounted.
 */
final class ValkeyQuotaAccount implements QuotaAccount {

  private static final Logger LOG = LoggerFactory.getLogger(ValkeyQuotaAccount.class);
  private static final Duration LEAST_WAIT = Duration.ofSeconds(1);

  private final ValkeyLink link;
  private final String store;
  private final Limits limits;
  private final InstantSource time;

  ValkeyQuotaAccount(ValkeyLink link, String name, Limits limits, InstantSource time) {
    this.link = link;
    this.store = "a:" + name;
    this.limits = limits;
    this.time = time;
  }

  @Override
  public Admission enter(String key, String holder, int cost, Instant expiresAt) {
    Instant now = time.instant();
    Reply reply =
        link.run(
            Script.QUOTA_ENTER,
            keys(),
            Names.digits(now),
            Names.ascii(key),
            Names.digits(expiresAt),
            Names.ascii(link.names().hash(store, holder)),
            Names.ascii(String.valueOf(cost)),
            Names.ascii(String.valueOf(limits.perHolder())),
            Names.ascii(String.valueOf(limits.inAll())),
            byHolder());
    if (reply.isDone()) {
      return new Admission.Admitted(texts(reply, 1));
    }
    Duration wait = Duration.between(now, Instant.ofEpochMilli((long) Double.parseDouble(texts(reply, 1).getFirst())));
    return new Admission.Full(texts(reply, 2), wait.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : wait);
  }

  private static List<String> texts(Reply reply, int from) {
    return IntStream.range(from, reply.size()).mapToObj(i -> new String(reply.bytes(i), StandardCharsets.US_ASCII)).toList();
  }

  /** While the server is away, the entry keeps its place until it expires. */
  @Override
  public boolean leave(String key) {
    try {
      return link.run(Script.QUOTA_LEAVE, keys(), Names.ascii(key), byHolder()).isDone();
    } catch (StoreUnavailable e) {
      LOG.debug("The place of an entry is not freed", e);
      return false;
    }
  }

  private byte[][] keys() {
    byte[] claims = part("claims");
    return new byte[][] {claims, claims, part("expiries"), part("networks"), part("numbers")};
  }

  private byte[] byHolder() {
    return part("n:");
  }

  private byte[] part(String part) {
    return link.names().key("q:" + store + ":" + part);
  }
}
