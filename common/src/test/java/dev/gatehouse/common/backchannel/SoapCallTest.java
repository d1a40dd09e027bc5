package dev.gatehouse.common.backchannel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.backchannel.SoapCall.Outcome;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutResponse;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest.Change;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdResponse;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.SamlWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Only the called partner can answer, and only the request that was sent. */
class SoapCallTest {

  private final TwoPartners world = new TwoPartners();
  private final LogoutRequest request = SamlFixtures.logoutRequest("_l1", SamlFixtures.IDP);

  SoapCallTest() throws IOException {}

  @AfterEach
  void end() {
    world.close();
  }

  private Outcome<LogoutResponse> call() {
    return world.calls.logout(request, to(world.server.url("/slo"), TwoPartners.PATIENCE));
  }

  private SoapCall.To to(String location, Duration patience) {
    return new SoapCall.To(world.sp, location, SamlFixtures.idpKey(), Optional.empty(), patience);
  }

  private void answers(LogoutResponse response, SigningKey key) {
    world.server.answers(world.writer.soap(response, key));
  }

  private static Reason reason(Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Refused<?>(SamlRefusal refusal) -> refusal.reason();
      case Outcome.Answered<?>(var answer) -> throw new AssertionError("accepted: " + answer);
      case Outcome.Unreachable<?>(String problem) -> throw new AssertionError(problem);
    };
  }

  @Test
  void aLogoutIsAnswered() {
    var response = SamlFixtures.logoutResponse("_l2", SamlFixtures.SP, "_l1");
    answers(response, SamlFixtures.spKey());

    assertThat(call()).isEqualTo(new Outcome.Answered<>(response));
    EdgeRequest seen = world.server.seen().getFirst();
    assertThat(seen.headers().first("Content-Type")).contains("text/xml; charset=utf-8");
    assertThat(TwoPartners.accepted(world.reader.logoutRequest(seen, SamlFixtures.partners(world.idp))).message())
        .isEqualTo(request);
  }

  @Test
  void aChangeOfNameIsAnswered() {
    var asked = SamlFixtures.manageNameIdRequest("_m1", SamlFixtures.IDP, new Change.NewId("n"));
    var response =
        new ManageNameIdResponse(
            "_m2", SamlFixtures.NOW, SamlFixtures.SP, Optional.empty(), Optional.of("_m1"), SamlStatus.success());
    world.server.answers(world.writer.soap(response, SamlFixtures.spKey()));

    assertThat(world.calls.manageNameId(asked, to(world.server.url("/mni"), TwoPartners.PATIENCE)))
        .isEqualTo(new Outcome.Answered<>(response));
    answers(SamlFixtures.logoutResponse("_l2", SamlFixtures.SP, "_m1"), SamlFixtures.spKey());
    assertThat(reason(world.calls.manageNameId(asked, to(world.server.url("/mni"), TwoPartners.PATIENCE))))
        .isEqualTo(Reason.UNEXPECTED_MESSAGE);
  }

  @Test
  void answersOfOthersAndToOthers() {
    answers(SamlFixtures.logoutResponse("_l2", SamlFixtures.SP, "_l0"), SamlFixtures.spKey());
    assertThat(reason(call())).isEqualTo(Reason.IN_RESPONSE_TO);
    answers(
        new LogoutResponse(
            "_l2", SamlFixtures.NOW, SamlFixtures.SP, Optional.empty(), Optional.empty(), SamlStatus.success()),
        SamlFixtures.spKey());
    assertThat(reason(call())).isEqualTo(Reason.IN_RESPONSE_TO);
    answers(SamlFixtures.logoutResponse("_l2", SamlFixtures.IDP, "_l1"), SamlFixtures.idpKey());
    assertThat(reason(call())).as("another partner of ours").isEqualTo(Reason.ISSUER_MISMATCH);
    answers(SamlFixtures.logoutResponse("_l2", SamlFixtures.SP, "_l1"), SamlFixtures.idpKey());
    assertThat(reason(call())).as("another partner's key").isEqualTo(Reason.SIGNATURE_INVALID);
  }

  /** Our own request as the response: signed, but by us. */
  @Test
  void theRequestAsItsAnswer() {
    world.server.answers(seen -> EdgeReply.of(200, "text/xml", seen.body()));

    assertThat(reason(call())).isEqualTo(Reason.UNEXPECTED_MESSAGE);
  }

  @ParameterizedTest
  @CsvSource({
    "<html><body>Welcome</body></html>, SOAP_MALFORMED",
    "Welcome, XML_NOT_WELL_FORMED",
    "'', XML_NOT_WELL_FORMED",
    "<!DOCTYPE html><html/>, XML_DOCTYPE",
  })
  void whatIsNoAnswer(String body, Reason reason) {
    world.server.answers(body.getBytes(StandardCharsets.UTF_8));

    assertThat(reason(call())).isEqualTo(reason);
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 500})
  void aFault(int status) {
    byte[] fault = world.writer.soapFault(SamlWriter.Fault.CLIENT, "no");
    world.server.answers(seen -> EdgeReply.of(status, "text/xml", fault));

    assertThat(call())
        .isEqualTo(new Outcome.Refused<>(new SamlRefusal(Reason.SOAP_FAULT, "a Fault: soap11:Client, no")));
  }

  @ParameterizedTest
  @ValueSource(ints = {302, 403, 404, 500, 502, 503})
  void anotherStatusIsNoAnswerWhateverTheBody(int status) {
    byte[] answer =
        world.writer.soap(SamlFixtures.logoutResponse("_l2", SamlFixtures.SP, "_l1"), SamlFixtures.spKey());
    world.server.answers(seen -> EdgeReply.of(status, "text/xml", answer).with("Location", "/other"));

    assertThat(call()).isEqualTo(new Outcome.Unreachable<>("answers with status " + status));
    assertThat(world.server.seen()).hasSize(1);
  }

  @Test
  void tooMuchOfAnAnswer() {
    world.server.answers(" ".repeat((256 << 10) + 1).getBytes(StandardCharsets.UTF_8));

    assertThat(call()).isInstanceOf(Outcome.Unreachable.class);
  }

  @Test
  void aPartnerThatHangs() {
    world.server.answers(
        seen -> {
          try {
            Thread.sleep(3_000);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return EdgeReply.noContent();
        });

    assertThat(world.calls.logout(request, to(world.server.url("/slo"), Duration.ofMillis(200))))
        .isInstanceOfSatisfying(
            Outcome.Unreachable.class,
            unreachable -> assertThat(unreachable.problem()).startsWith("no complete answer within 200 ms, "));
  }

  @Test
  void aPartnerThatIsNotThere() {
    String gone = world.server.url("/slo");
    world.server.close();

    assertThat(world.calls.logout(request, to(gone, TwoPartners.PATIENCE))).isInstanceOf(Outcome.Unreachable.class);
  }

  /** Names of people are not sent in the clear; nothing is sent, so this cannot hang on 192.0.2.1. */
  @Test
  void inTheClearToThisMachineOnly() {
    assertThat(world.calls.logout(request, to("http://192.0.2.1/slo", TwoPartners.PATIENCE)))
        .isEqualTo(new Outcome.Unreachable<>("its endpoint is not https"));
  }
}
