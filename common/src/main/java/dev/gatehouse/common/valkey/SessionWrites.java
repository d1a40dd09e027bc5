package dev.gatehouse.common.valkey;

import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.valkey.SessionSeal.Raw;
import dev.gatehouse.common.valkey.SessionSeal.Sealed;
import dev.gatehouse.common.valkey.SessionSeal.Stored;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The scripts that write sessions. Each does so if the session is the one that the caller knows. Whatever became of it, what this node has
 * read before does not count any more.
 *
 * <p>A change that only moves the idle end is written beside the value, with the value's version: near caches of other nodes stay valid.
 */
final class SessionWrites<S extends Session> {

  /** The version of a session that was never changed. */
  private static final long FIRST = 1;

  private final ValkeyLink link;
  private final SessionNames where;
  private final SessionSeal<S> seal;
  private final NearCache<S> near;

  SessionWrites(ValkeyLink link, SessionNames where, SessionSeal<S> seal, NearCache<S> near) {
    this.link = link;
    this.where = where;
    this.seal = seal;
    this.near = near;
  }

  /** Returns whether nothing but the idle end changes, or nothing at all. */
  static boolean isTouch(Session before, Session changed) {
    return before.equals(changed) || before.expiringAt(changed.expiresAt()).filter(changed::equals).isPresent();
  }

  boolean created(SessionNames.Place place, S session, Instant now) {
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(Names.digits(now));
    Sealed<S> sealed = seal.sealed(place, FIRST, session);
    arguments.add(sealed.value());
    arguments.add(Names.digits(session.expiresAt()));
    arguments.add(place.member());
    List<String> keys = where.indexKeys(session);
    arguments.add(Names.ascii(String.valueOf(keys.size())));
    keys.forEach(key -> where.addEntry(arguments, key, place));
    return stored(Script.SESSION_CREATE, place, sealed, arguments).isDone();
  }

  /** @param sameIdleEnd whether an idle end that another node wrote since is a reason to read again, which keeps it */
  boolean replaced(SessionNames.Place place, Stored<S> before, S changed, boolean sameIdleEnd) {
    if (isTouch(before.session(), changed)) {
      return touched(place, before, changed);
    }
    return sameIdleEnd ? rewrittenAsKnown(place, before, changed) : rewritten(place, before, changed);
  }

  /** Replaces the value if it has the version that was read. */
  boolean rewritten(SessionNames.Place place, Stored<S> before, S changed) {
    return rewrite(place, before, changed, Names.number(before.version())).isDone();
  }

  private boolean rewrittenAsKnown(SessionNames.Place place, Stored<S> before, S changed) {
    return rewrite(place, before, changed, withIdleEnd(before)).isDone();
  }

  /**
   * What became of a change.
   *
   * @param changed the session; empty if it was not changed
   * @param found what the server has, if that is something else than this node knew
   */
  record Attempt<S>(Optional<S> changed, Optional<Stored<S>> found) {}

  /** Replaces the value if it has the version and the idle end that this node knows, perhaps from before another node's change. */
  Attempt<S> attempt(SessionNames.Place place, Stored<S> known, S changed) {
    Reply reply = rewrite(place, known, changed, withIdleEnd(known));
    return reply.isDone() ? new Attempt<>(Optional.of(changed), Optional.empty()) : new Attempt<>(Optional.empty(), found(place, reply));
  }

  private Optional<Stored<S>> found(SessionNames.Place place, Reply reply) {
    return reply.optional(1).flatMap(value -> seal.opened(place.memberText(), new Raw(value, reply.optional(2).orElse(null))));
  }

  private byte[] withIdleEnd(Stored<S> known) {
    long expiry = known.session().expiresAt().toEpochMilli();
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(known.version()).putLong(expiry).array();
  }

  private Reply rewrite(SessionNames.Place place, Stored<S> before, S changed, byte[] expected) {
    List<String> removed = new ArrayList<>(where.indexKeys(before.session()));
    List<String> added = new ArrayList<>(where.indexKeys(changed));
    added.removeAll(removed);
    removed.removeAll(where.indexKeys(changed));
    boolean sameExpiry = before.session().expiresAt().toEpochMilli() == changed.expiresAt().toEpochMilli();
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(expected);
    Sealed<S> after = seal.sealed(place, before.version() + 1, changed);
    arguments.add(after.value());
    arguments.add(sameExpiry ? new byte[0] : Names.digits(changed.expiresAt()));
    arguments.add(place.member());
    arguments.add(Names.ascii(String.valueOf(added.size())));
    added.forEach(key -> where.addEntry(arguments, key, place));
    removed.forEach(key -> where.addEntry(arguments, key, place));
    return stored(Script.SESSION_REPLACE, place, after, arguments);
  }

  private boolean touched(SessionNames.Place place, Stored<S> before, S changed) {
    byte[] idleEnd = seal.sealedIdleEnd(place, before.version(), changed);
    byte[][] arguments = {Names.number(before.version()), idleEnd, Names.digits(changed.expiresAt()), place.member()};
    // While this cannot be written, the session is served as it was read.
    boolean isDone = link.write(Script.SESSION_TOUCH, keys(place, changed), arguments).isDone();
    near.forget(place.memberText());
    // Its idle end is another one now.
    near.written().remove(place);
    return isDone;
  }

  /** Removes the session if it has the version that was read, whatever its idle end is by now. */
  boolean removed(SessionNames.Place place, Stored<S> before) {
    return removed(place, before, Names.number(before.version()));
  }

  /** Removes the session if it has the version and the idle end that were read: another node may have touched it since. */
  boolean removedAsKnown(SessionNames.Place place, Stored<S> before) {
    return removed(place, before, withIdleEnd(before));
  }

  private boolean removed(SessionNames.Place place, Stored<S> before, byte[] expected) {
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(expected);
    arguments.add(place.member());
    where.indexKeys(before.session()).forEach(key -> where.addEntry(arguments, key, place));
    near.written().remove(place);
    return written(Script.SESSION_REMOVE, place, before.session(), arguments).isDone();
  }

  /** Writes the value, and knows from then on what this node wrote. */
  private Reply stored(Script script, SessionNames.Place place, Sealed<S> sealed, List<byte[]> arguments) {
    Optional<Long> epoch = near.confirmedEpoch();
    Reply reply = written(script, place, sealed.stored().session(), arguments);
    if (reply.isDone()) {
      epoch.ifPresent(number -> near.written().add(place, sealed, number));
    } else {
      near.written().remove(place);
    }
    return reply;
  }

  private Reply written(Script script, SessionNames.Place place, S session, List<byte[]> arguments) {
    try {
      return link.write(script, keys(place, session), arguments.toArray(byte[][]::new));
    } finally {
      near.forget(place.memberText());
    }
  }

  private byte[][] keys(SessionNames.Place place, S session) {
    return new byte[][] {place.key(), where.expiries(), where.realm(session.realm()), where.idleOf(place.member())};
  }
}
