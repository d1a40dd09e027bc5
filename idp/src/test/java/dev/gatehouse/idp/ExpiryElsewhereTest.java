package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent.SessionEnded;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.logout.LogoutNotice;
import dev.gatehouse.common.realm.PartnerConfig.Logout;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.Expired;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.store.Stores;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Sessions that one node takes for expired while people use them, or other nodes end them. */
final class ExpiryElsewhereTest {

  private final TestTime time = new TestTime();
  private boolean isFast;
  private boolean isEndedElsewhere;

  private final Idp idp = new Idp(time, stores(new MemoryStores(time)), SealingKey.inMemory(new SecureRandom()), TestRealms.demo());

  private final TestBrowser browser = idp.browser();

  private Stores stores(Stores all) {
    return proxy(
        Stores.class,
        (method, arguments) -> {
          Object made = method.invoke(all, arguments);
          boolean isKept = made instanceof SessionStore<?> && arguments.length == 3 && arguments[2] == Expired.KEPT;
          return isKept ? sessions((SessionStore<?>) made) : made;
        });
  }

  /** Lists every session as expired, as a node does whose clock is ahead of all of them. */
  private SessionStore<?> sessions(SessionStore<? extends Session> store) {
    return proxy(
        SessionStore.class,
        (method, arguments) -> {
          if (method.getName().equals("expired") && isFast) {
            return store.page("demo", "", 10);
          }
          Object found = method.invoke(store, arguments);
          if (method.getName().equals("find") && isEndedElsewhere && isFast) {
            // At the next look it is over.
            store.page("demo", "", 10).forEach(session -> store.end(session.id()));
          }
          return found;
        });
  }

  private interface Call {
    Object made(Method method, Object[] arguments) throws ReflectiveOperationException;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return call.made(method, arguments == null ? new Object[0] : arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private void signIn() {
    idp.partners.withLogout(
        Idp.APP, Logout.SOAP, new Endpoint(Binding.REDIRECT, Idp.APP_SLO, Optional.empty()),
        new Endpoint(Binding.SOAP, Idp.APP_SLO + "/soap", Optional.empty()));
    idp.partners.withoutLogout(Idp.WIKI);
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    Idp.response(browser.get(Idp.redirect(idp.authnRequest(Idp.APP))));
  }

  private List<String> told() {
    return idp.backChannel.sent.stream().map(LogoutNotice::partner).toList();
  }

  @Test
  void participantsOfASessionThatGoesOnAreNotTold() {
    signIn();
    isFast = true;
    idp.tend();
    isFast = false;
    assertThat(idp.waitingLogouts().count("demo")).isZero();
    time.advance(Duration.ofMinutes(2));
    idp.tend();
    assertThat(told()).isEmpty();
    assertThat(idp.audit.events(SessionEnded.class)).isEmpty();
    assertThat(browser.get("/realms/demo/account").status()).isEqualTo(200);

    time.advance(Duration.ofMinutes(31));
    idp.tend();
    assertThat(told()).as("once it is over").containsExactly(Idp.APP);
  }

  @Test
  void participantsOfASessionThatAnotherNodeEndsMeanwhileAreTold() {
    signIn();
    isEndedElsewhere = true;
    isFast = true;
    idp.tend();
    isFast = false;
    idp.tend();
    assertThat(told()).containsExactly(Idp.APP);
  }
}
