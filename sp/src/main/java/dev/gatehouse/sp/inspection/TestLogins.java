package dev.gatehouse.sp.inspection;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.sp.acs.TestLoginAnswers;
import dev.gatehouse.sp.check.RequestedLogin;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.login.CodeExchange;
import dev.gatehouse.sp.oidc.OpenIdTestAnswers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The test logins of the last hour. Blocks: call on virtual threads only. */
public final class TestLogins implements TestLoginAnswers, OpenIdTestAnswers {

  /** The time for which a test login and its result are kept. */
  public static final Duration LIFE = Duration.ofHours(1);

  /**
   * A test login.
   *
   * @param url where the administrator's browser begins it
   * @param inspection empty while the answer has not come
   * @param isRecorded whether it can be saved
   */
  public record View(
      String id, String identityProvider, String url, Instant startedAt, Optional<Inspection> inspection, boolean isRecorded) {}

  private final SingleUseStore<TestLogin> store;
  private final ResponseInspector responses;
  private final LoginInspector openIdLogins;
  private final Pages pages;
  private final InstantSource time;
  private final RandomGenerator random;

  TestLogins(
      Stores stores,
      ResponseInspector responses,
      LoginInspector openIdLogins,
      Pages pages,
      InstantSource time,
      RandomGenerator random) {
    this.store = stores.singleUse("sp-test-login", new JsonCodec<>(TestLogin.class));
    this.responses = responses;
    this.openIdLogins = openIdLogins;
    this.pages = pages;
    this.time = time;
    this.random = random;
  }

  /** Begins a test login with an identity provider or OpenID provider of the realm; empty if the realm has none of that name. */
  public Optional<View> begin(Realm realm, String identityProvider) {
    return SpRealm.of(realm)
        .filter(sp -> sp.identityProviders().contains(identityProvider))
        .map(
            sp -> {
              String id = ID_PREFIX + SessionToken.create(random).value();
              Optional<CodeExchange> exchange =
                  sp.openIdProvider(identityProvider)
                      .map(provider -> new CodeExchange(SessionToken.create(random).value(), SessionToken.create(random).value()));
              TestLogin login = new TestLogin(sp.name(), identityProvider, id, time.instant(), Optional.empty(), exchange);
              store.put(id, login, login.startedAt().plus(LIFE));
              return view(sp, login);
            });
  }

  /** Returns a test login of the realm. */
  public Optional<View> find(Realm realm, String id) {
    return SpRealm.of(realm).flatMap(sp -> peek(sp, id).map(login -> view(sp, login)));
  }

  /**
   * Returns the recording as a file, encrypted to the passphrase; empty if there is none.
   *
   * @throws IllegalArgumentException if the passphrase is too short
   */
  public Optional<String> file(Realm realm, String id, String passphrase) {
    if (passphrase.length() < RecordingFile.MIN_PASSPHRASE) {
      throw new IllegalArgumentException("The passphrase is too short; use " + RecordingFile.MIN_PASSPHRASE + " characters or more.");
    }
    return SpRealm.of(realm)
        .flatMap(sp -> peek(sp, id))
        .flatMap(TestLogin::result)
        .flatMap(TestLogin.Result::recording)
        .map(recording -> RecordingFile.write(recording, passphrase));
  }

  /** Inspects a recorded answer again; empty if the file is not a recording of the realm, or has another passphrase. */
  public Optional<Replay> replay(Realm realm, String file, String passphrase) {
    return SpRealm.of(realm)
        .flatMap(
            sp ->
                RecordingFile.read(file, passphrase)
                    .filter(recording -> recording.realm().equals(sp.name()))
                    .map(recording -> Replay.of(recording, inspect(sp, recording))));
  }

  private Inspection inspect(SpRealm realm, Recording recording) {
    return recording.openId().isPresent()
        ? openIdLogins.inspect(realm, recording)
        : responses.inspect(realm, recording).inspection();
  }

  /** Returns a test login that waits for its answer. */
  Optional<TestLogin> waiting(SpRealm realm, String id) {
    return peek(realm, id).filter(login -> login.result().isEmpty());
  }

  @Override
  public Optional<EdgeReply> answer(
      SpRealm realm, EdgeRequest request, String id, Result<ReceivedResponse, SamlRefusal> reading) {
    return waiting(realm, id)
        .filter(login -> login.exchange().isEmpty())
        .map(login -> ended(realm, request, login, result(realm, request, login, reading)));
  }

  @Override
  public Optional<EdgeReply> answer(SpRealm realm, EdgeRequest request, String state) {
    return waiting(realm, state)
        .filter(login -> login.exchange().isPresent())
        .map(login -> ended(realm, request, login, openIdLogins.answer(realm, login, request, time.instant())));
  }

  private EdgeReply ended(SpRealm realm, EdgeRequest request, TestLogin login, TestLogin.Result result) {
    store.replace(login.id(), login.with(result), login.startedAt().plus(LIFE));
    Map<String, Object> model = Map.of("passed", result.inspection().isPassed(), "partner", login.identityProvider());
    return pages.render(request, Optional.of(realm.realm()), Page.of(200, "test-login", model));
  }

  private TestLogin.Result result(
      SpRealm realm, EdgeRequest request, TestLogin login, Result<ReceivedResponse, SamlRefusal> reading) {
    Instant now = time.instant();
    Optional<String> posted = request.formParameters().one("SAMLResponse");
    if (posted.isEmpty()) {
      RequestedLogin requested = new RequestedLogin(login.identityProvider(), List.of(), false, login.startedAt());
      return new TestLogin.Result(responses.inspect(realm, requested, login.id(), reading, now), Optional.empty());
    }
    Recording recording = Recording.of(login, now, posted.get());
    ResponseInspector.Found found = responses.inspect(realm, recording);
    return new TestLogin.Result(
        found.inspection(), found.inspection().hasPassword() ? Optional.empty() : Optional.of(recording.with(found)));
  }

  private Optional<TestLogin> peek(SpRealm realm, String id) {
    return store.peek(id).filter(login -> login.realm().equals(realm.name()));
  }

  private static View view(SpRealm realm, TestLogin login) {
    return new View(
        login.id(),
        login.identityProvider(),
        realm.home() + TestLoginEndpoint.PATH + "?id=" + login.id(),
        login.startedAt(),
        login.result().map(TestLogin.Result::inspection),
        login.result().flatMap(TestLogin.Result::recording).isPresent());
  }
}
