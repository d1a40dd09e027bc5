package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessionCache;
import dev.gatehouse.sp.session.LocalAccount;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Sessions that a test opens and ends; each is a miss first, as after a restart. */
final class FakeSessions implements AppSessionCache {

  private final Map<String, AppSession> stored = new ConcurrentHashMap<>();
  private final Map<String, AppSession> cached = new ConcurrentHashMap<>();
  private final AtomicInteger number = new AtomicInteger();
  private final AtomicInteger loads = new AtomicInteger();
  private volatile Optional<RuntimeException> fault = Optional.empty();

  /** Opens a session and returns its token. */
  String open(String user, List<String> roles, List<String> groups) {
    return open(user, roles, groups, Map.of());
  }

  String open(String user, List<String> roles, List<String> groups, Map<String, List<String>> attributes) {
    return open(user, roles, groups, attributes, Instant.EPOCH);
  }

  /** Opens a session of somebody who proved then who they are. */
  String open(
      String user, List<String> roles, List<String> groups, Map<String, List<String>> attributes, Instant authenticated) {
    SessionToken token = new SessionToken(String.format("%043d", number.incrementAndGet()));
    AppSession session =
        new AppSession(
            token.id(), "demo", new Lifetime(Instant.EPOCH, Instant.MAX, Instant.MAX),
            new LocalAccount(new PersonId("idp!" + user), user, roles, groups, attributes),
            new AppSession.Login(
                "idp",
                new NameId(
                    user,
                    "urn:oasis:names:tc:SAML:2.0:nameid-format:transient",
                    Optional.empty(),
                    Optional.empty()),
                Optional.empty(),
                Optional.empty(),
                authenticated));
    open(session);
    return token.value();
  }

  /** Opens this one. */
  void open(AppSession session) {
    stored.put(session.id().value(), session);
  }

  /** From now on the person has these roles, as if the directory said so. */
  void change(String token, List<String> roles) {
    AppSession before = load("demo", token);
    LocalAccount account = before.account();
    LocalAccount changed = new LocalAccount(account.person(), account.user(), roles, account.groups(), account.attributes());
    open(new AppSession(before.id(), before.realm(), before.lifetime(), changed, before.login()));
    forget(token);
  }

  /** An open session, for tests. */
  AppSession load(String realm, String token) {
    AppSession session = stored.get(new SessionToken(token).id().value());
    if (session == null || !session.realm().equals(realm)) {
      throw new AssertionError("no such session");
    }
    return session;
  }

  void end(String token) {
    end(new SessionToken(token).id());
  }

  void end(SessionId id) {
    stored.remove(id.value());
    cached.remove(id.value());
  }

  /** How many are open. */
  int open() {
    return stored.size();
  }

  /** As after ten minutes without a request. */
  void forget(String token) {
    cached.remove(new SessionToken(token).id().value());
  }

  void breakDown() {
    breakDown(new IllegalStateException("the test broke the store"));
  }

  /** From now on every session is answered by this. */
  void breakDown(RuntimeException by) {
    fault = Optional.of(by);
  }

  int loads() {
    return loads.get();
  }

  @Override
  public Peek peek(String realm, SessionId id) {
    if (!Thread.currentThread().getName().startsWith("gateway-")) {
      throw new AssertionError("peek is for the event loop");
    }
    AppSession session = cached.get(id.value());
    return session == null ? new Peek.Miss() : new Peek.Hit(session);
  }

  @Override
  public Optional<AppSession> look(String realm, SessionId id) {
    return load(realm, id);
  }

  @Override
  public Optional<AppSession> load(String realm, SessionId id) {
    if (!Thread.currentThread().isVirtual()) {
      throw new AssertionError("load blocks");
    }
    if (fault.isPresent()) {
      throw fault.get();
    }
    loads.incrementAndGet();
    AppSession session = stored.get(id.value());
    if (session != null) {
      cached.put(id.value(), session);
    }
    return Optional.ofNullable(session);
  }
}
