package dev.gatehouse.gateway.upstream;

import dev.gatehouse.common.realm.UpstreamConfig.Balance;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.upstream.Upstream.Member;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;

/**
 * Rendezvous hashing (highest random weight): each server computes a score from a person's key, and the best one serves
 * the person. If a server is lost, only its own people move, and when it returns it gets the same ones back.
 */
public final class RendezvousHash {

  private static final long PRIME = 0x100000001b3L;
  private static final long BASIS = 0xcbf29ce484222325L;

  private RendezvousHash() {}

  /** The key that distinguishes people; derived from the address if the cookie, field or session is missing. */
  public static long key(Balance balance, RequestHead head, Subject subject, InetAddress client) {
    return switch (balance) {
      case Balance.LeastOutstanding none -> 0;
      case Balance.ByAddress address -> ofAddress(client);
      case Balance.BySession session ->
          subject instanceof Subject.Person(var known) ? hash(known.id().toString()) : ofAddress(client);
      case Balance.ByHeader(String name) -> byField(head.fields(), name, client);
      case Balance.ByCookie(String name) -> byCookie(head.fields(), name + "=", client);
    };
  }

  private static long ofAddress(InetAddress client) {
    byte[] bytes = client.getAddress();
    return hash(bytes, 0, bytes.length);
  }

  private static long byField(Fields fields, String name, InetAddress client) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.nameText(i).equalsIgnoreCase(name)) {
        return hash(fields.bytes(), fields.valueStart(i), fields.valueEnd(i));
      }
    }
    return ofAddress(client);
  }

  private static long byCookie(Fields fields, String prefix, InetAddress client) {
    for (int i = fields.next(FieldName.COOKIE, 0); i >= 0; i = fields.next(FieldName.COOKIE, i + 1)) {
      for (String pair : fields.value(i).split(";")) {
        if (pair.strip().startsWith(prefix)) {
          return hash(pair.strip());
        }
      }
    }
    return ofAddress(client);
  }

  static long hash(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return hash(bytes, 0, bytes.length);
  }

  private static long hash(byte[] bytes, int start, int end) {
    long hash = BASIS;
    for (int i = start; i < end; i++) {
      hash = (hash ^ bytes[i] & 0xff) * PRIME;
    }
    return hash;
  }

  /** The score of a member; the lowest one wins. A server with twice the weight wins twice as often. */
  static double score(long key, Member member) {
    long mixed = mix(key ^ member.hash());
    double uniform = ((mixed >>> 11) + 1) * 0x1.0p-53;
    return -Math.log(uniform) / member.weight();
  }

  /** Stafford's finalizer: every bit of the input changes half of the output bits. */
  private static long mix(long value) {
    long z = value;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }
}
