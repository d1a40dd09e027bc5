package dev.gatehouse.common.backchannel;

import static dev.gatehouse.common.backchannel.TwoPartners.accepted;
import static dev.gatehouse.common.backchannel.TwoPartners.brought;
import static dev.gatehouse.common.backchannel.TwoPartners.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Artifact;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.ArtifactResolve;
import dev.gatehouse.common.saml.message.SamlMessage.ArtifactResponse;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.SamlWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Artifacts from issuer to receiver, and attacks on them (SECURITY-CASES 10). */
class ArtifactTest {

  private final TwoPartners world = new TwoPartners();

  ArtifactTest() throws IOException {}

  @AfterEach
  void end() {
    world.close();
  }

  @ParameterizedTest
  @EnumSource
  void aResponseArrives(SamlWriter.Signed signed) {
    world.serveArtifactsOf(SamlFixtures.IDP, SamlFixtures.idpKey());
    Artifact artifact = world.held(SamlFixtures.IDP, SamlFixtures.SP, signed);

    assertThat(accepted(world.resolver.response(brought(artifact), world.asSp())))
        .isEqualTo(
            new ReceivedResponse(
                SamlFixtures.response(Optional.of("_r1")), true, Binding.ARTIFACT, Optional.of("state")));
    EdgeRequest seen = world.server.seen().getFirst();
    assertThat(seen.path()).isEqualTo("/artifact");
    assertThat(seen.headers().first("SOAPAction")).contains("\"http://www.oasis-open.org/committees/security\"");
  }

  @Test
  void anAuthnRequestArrives() {
    world.serveArtifactsOf(SamlFixtures.SP, SamlFixtures.spKey());
    var request = SamlFixtures.authnRequest("_r1");
    Artifact artifact =
        world.held.hold(SamlFixtures.SP, TwoPartners.INDEX, SamlFixtures.IDP, world.writer.write(request));

    assertThat(accepted(world.resolver.authnRequest(brought(artifact), world.asIdp())))
        .isEqualTo(new Received<>(request, Binding.ARTIFACT, true, Optional.of("state")));
  }

  @Test
  void anotherMessageThanExpected() {
    world.serveArtifactsOf(SamlFixtures.IDP, SamlFixtures.idpKey());
    var logout = world.writer.write(SamlFixtures.logoutRequest("_l1", SamlFixtures.IDP));
    Artifact artifact = world.held.hold(SamlFixtures.IDP, TwoPartners.INDEX, SamlFixtures.SP, logout);

    assertThat(reason(world.resolver.response(brought(artifact), world.asSp()))).isEqualTo(Reason.UNEXPECTED_MESSAGE);
  }

  @Test
  void asksNobodyTwice() {
    world.serveArtifactsOf(SamlFixtures.IDP, SamlFixtures.idpKey());
    Artifact artifact = world.held(SamlFixtures.IDP, SamlFixtures.SP, SamlWriter.Signed.ASSERTION);

    accepted(world.resolver.response(brought(artifact), world.asSp()));
    assertThat(reason(world.resolver.response(brought(artifact), world.asSp()))).isEqualTo(Reason.REPLAYED);
    assertThat(world.server.seen()).hasSize(1);
  }

  /** Otherwise anybody could fill the replay marks with invented artifacts. */
  @Test
  void anArtifactThatStandsForNothingLeavesNoMark() {
    world.serveArtifactsOf(SamlFixtures.IDP, SamlFixtures.idpKey());
    Artifact artifact = Artifact.create(TwoPartners.INDEX, SamlFixtures.IDP, world.random);

    assertThat(reason(world.resolver.response(brought(artifact), world.asSp()))).isEqualTo(Reason.ARTIFACT_UNRESOLVED);
    assertThat(reason(world.resolver.response(brought(artifact), world.asSp()))).isEqualTo(Reason.ARTIFACT_UNRESOLVED);
  }

  @Test
  void asksNobodyWhoIsNoPartnerOrHasNoSuchEndpointOrRole() {
    Artifact stranger = Artifact.create(TwoPartners.INDEX, "https://stranger.example", world.random);
    Artifact elsewhere = Artifact.create(TwoPartners.INDEX + 1, SamlFixtures.IDP, world.random);
    Artifact otherRole = Artifact.create(TwoPartners.INDEX, SamlFixtures.SP, world.random);

    assertThat(reason(world.resolver.response(brought(stranger), world.asSp())))
        .isEqualTo(Reason.ARTIFACT_SOURCE_UNKNOWN);
    assertThat(reason(world.resolver.response(brought(elsewhere), world.asSp())))
        .isEqualTo(Reason.ARTIFACT_ENDPOINT_UNKNOWN);
    assertThat(reason(world.resolver.response(brought(otherRole), world.asSp())))
        .isEqualTo(Reason.ARTIFACT_ENDPOINT_UNKNOWN);
    assertThat(world.server.seen()).isEmpty();
  }

  @Test
  void aPartnerThatDoesNotAnswer() {
    Artifact artifact = Artifact.create(TwoPartners.INDEX, SamlFixtures.IDP, world.random);
    world.server.answers(request -> EdgeReply.of(503, "text/html", "<h1>later</h1>"));

    assertThat(world.resolver.response(brought(artifact), world.asSp()))
        .isEqualTo(refused(Reason.BACK_CHANNEL_FAILED, "answers with status 503"));
  }

  @Test
  void aPartnerThatHangsIsGivenUpInTimeByAllWhoWait() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    world.server.answers(request -> hang(end));
    long begin = System.nanoTime();

    for (Future<String> login : logins(120, Duration.ofMillis(300))) {
      assertThat(login.get()).contains("BACK_CHANNEL_FAILED");
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
    end.countDown();
  }

  @Test
  void asksNoMoreThanAHundredTimesAtOnce() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger most = new AtomicInteger();
    AtomicInteger now = new AtomicInteger();
    world.server.answers(
        request -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          if (now.get() == 100) {
            // Gives the hundred and first call time to arrive, if there is one.
            CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS).execute(end::countDown);
          }
          EdgeReply reply = hang(end);
          now.decrementAndGet();
          return reply;
        });

    for (Future<String> login : logins(130, Duration.ofSeconds(20))) {
      assertThat(login.get()).contains("answers with status 204");
    }
    assertThat(most).hasValue(100);
    assertThat(world.server.seen()).hasSize(130);
  }

  private List<Future<String>> logins(int count, Duration patience) throws InterruptedException {
    var self = new ArtifactResolver.As("demo", SamlFixtures.SP, SamlFixtures.spKey(), List::of, patience);
    List<Callable<String>> logins = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Artifact artifact = Artifact.create(TwoPartners.INDEX, SamlFixtures.IDP, world.random);
      logins.add(() -> world.resolver.response(brought(artifact), self).toString());
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      return threads.invokeAll(logins);
    }
  }

  private static EdgeReply hang(CountDownLatch end) {
    try {
      end.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return EdgeReply.noContent();
  }

  @Test
  void goesToItsPartnerOnceAndToNobodyElse() {
    Artifact artifact = world.held(SamlFixtures.IDP, SamlFixtures.SP, SamlWriter.Signed.ASSERTION);

    var stranger = ask(artifact.value(), SamlFixtures.SP, SamlFixtures.strangerKey());
    assertThat(stranger.refusal().orElseThrow().reason()).isEqualTo(Reason.SIGNATURE_INVALID);
    assertThat(stranger.partner()).isEmpty();
    assertThat(stranger.reply().status()).isEqualTo(500);
    assertThat(stranger.reply().text()).contains("soap11:Client").doesNotContain("Signature", "signed");

    var other = ask(artifact.value(), SamlFixtures.IDP, SamlFixtures.idpKey());
    assertThat(other.refusal().orElseThrow().reason()).isEqualTo(Reason.ARTIFACT_OTHER_PARTNER);
    assertThat(other.partner()).contains(SamlFixtures.IDP);
    assertThatNothingIsIn(other);

    var first = ask(artifact.value(), SamlFixtures.SP, SamlFixtures.spKey());
    assertThat(first.refusal()).isEmpty();
    assertThat(first.reply().text()).contains("alice@example.com");

    var second = ask(artifact.value(), SamlFixtures.SP, SamlFixtures.spKey());
    assertThat(second.refusal().orElseThrow().reason()).isEqualTo(Reason.REPLAYED);
    assertThatNothingIsIn(second);
  }

  @Test
  void isHeldForAMinute() {
    Artifact artifact = world.held(SamlFixtures.IDP, SamlFixtures.SP, SamlWriter.Signed.ASSERTION);
    world.time.advance(Duration.ofSeconds(60));

    var late = ask(artifact.value(), SamlFixtures.SP, SamlFixtures.spKey());

    assertThat(late.refusal().orElseThrow().reason()).isEqualTo(Reason.ARTIFACT_UNRESOLVED);
    assertThatNothingIsIn(late);
  }

  @Test
  void isKnownAsAWholeAlone() {
    Artifact artifact = world.held(SamlFixtures.IDP, SamlFixtures.SP, SamlWriter.Signed.ASSERTION);
    Artifact elsewhere = new Artifact(0, artifact.sourceId(), artifact.messageHandle());
    Artifact others = new Artifact(TwoPartners.INDEX, Artifact.sourceId("x"), artifact.messageHandle());

    for (String value : List.of(elsewhere.value(), others.value())) {
      assertThat(ask(value, SamlFixtures.SP, SamlFixtures.spKey()).refusal().orElseThrow().reason())
          .isEqualTo(Reason.ARTIFACT_UNRESOLVED);
    }
    var malformed = ask("AAQ=", SamlFixtures.SP, SamlFixtures.spKey());
    assertThat(malformed.refusal().orElseThrow().reason()).isEqualTo(Reason.ARTIFACT_MALFORMED);
    assertThatNothingIsIn(malformed);
  }

  @Test
  void ofManyWhoAskAtOnceOneIsGivenIt() throws Exception {
    Artifact artifact = world.held(SamlFixtures.IDP, SamlFixtures.SP, SamlWriter.Signed.ASSERTION);
    List<Callable<ArtifactResolution.Answer>> asking = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      asking.add(() -> ask(artifact.value(), SamlFixtures.SP, SamlFixtures.spKey()));
    }
    int given = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<ArtifactResolution.Answer> answer : threads.invokeAll(asking)) {
        given += answer.get().refusal().isEmpty() ? 1 : 0;
      }
    }
    assertThat(given).isEqualTo(1);
  }

  @Test
  void aResolveForAnotherPlaceIsRefused() {
    Artifact artifact = world.held(SamlFixtures.IDP, SamlFixtures.SP, SamlWriter.Signed.ASSERTION);

    var misdirected =
        ask(artifact.value(), SamlFixtures.SP, SamlFixtures.spKey(), Optional.of("https://other.example/artifact"));

    assertThat(misdirected.refusal().orElseThrow().reason()).isEqualTo(Reason.DESTINATION);
    assertThat(misdirected.reply().status()).isEqualTo(500);
    assertThat(ask(artifact.value(), SamlFixtures.SP, SamlFixtures.spKey()).refusal()).isEmpty();
  }

  private static Object refused(Reason reason, String detail) {
    return new Result.Refused<>(new SamlRefusal(reason, detail));
  }

  private ArtifactResolution.Answer ask(String artifact, String issuer, SigningKey key) {
    return ask(artifact, issuer, key, Optional.of(world.server.url("/artifact")));
  }

  private ArtifactResolution.Answer ask(
      String artifact, String issuer, SigningKey key, Optional<String> destination) {
    var resolve = new ArtifactResolve("_a1", SamlFixtures.NOW, issuer, destination, artifact);
    var self = new ArtifactResolution.As(SamlFixtures.IDP, world.server.url("/artifact"), SamlFixtures.idpKey());
    EdgeRequest request = SamlFixtures.soap(world.server.url("/artifact"), world.writer.soap(resolve, key));
    return world.resolution.answer(request, self, SamlFixtures.partners(world.idp, world.sp));
  }

  /** Success without a message: SAML Core 3.5.3 lets other callers learn nothing more. */
  private void assertThatNothingIsIn(ArtifactResolution.Answer answer) {
    var read = accepted(world.reader.artifactResponse(answer.reply().body(), SamlFixtures.partners(world.idp)));
    assertThat(read.message()).isEmpty();
    ArtifactResponse response = read.response();
    assertThat(response.status()).isEqualTo(SamlStatus.success());
    assertThat(response.inResponseTo()).contains("_a1");
  }
}
