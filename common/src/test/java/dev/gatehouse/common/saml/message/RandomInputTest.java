package dev.gatehouse.common.saml.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.metadata.CanonicalMetadataCodec;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.common.saml.metadata.MetadataCodecTest;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** For any input a reader returns a value: it throws nothing, and accepts no changed content. */
class RandomInputTest {

  private static final String[] PIECES = {
    "<", ">", "&", "\"", "<!--", "-->", "]]>", "<![CDATA[", "&#0;", "&lt;", "<a/>", "</", "xmlns=\"\"",
        " xmlns:a=\"b\"",
    "\u0000", "ä", "\uD83D\uDE00", "#", "../", "xml:base=\"x\"", "xsi:type=\"y\"", "ID=\"_x\"", "%", "\n"
  };

  private final SamlReader reader = new StrictSamlReader();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void spoiledResponses(long seed) {
    Random random = new Random(seed);
    List<byte[]> messages = new ArrayList<>();
    for (SamlWriter.Signed signed : SamlWriter.Signed.values()) {
      messages.add(Forgery.response(signed).getBytes(StandardCharsets.UTF_8));
    }
    var expected = SamlFixtures.response(Optional.of("_request-1")).assertions();
    for (int i = 0; i < 1_000; i++) {
      byte[] spoiled = spoil(messages.get(random.nextInt(messages.size())), random);
      if (Forgery.read(spoiled) instanceof Result.Accepted(ReceivedResponse response)) {
        assertThat(response.assertions()).as("seed %d, round %d", seed, i).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5})
  void spoiledQueries(long seed) {
    Random random = new Random(seed);
    var message = SamlFixtures.logoutRequest("_l1", SamlFixtures.SP);
    URI url =
        new CanonicalSamlWriter().redirect(message, SamlFixtures.IDP_SLO, Optional.of("state"), SamlFixtures.spKey());
    EdgeRequest sent = SamlFixtures.followed(url);
    for (int i = 0; i < 1_000; i++) {
      String query =
          new String(spoil(sent.query().getBytes(StandardCharsets.UTF_8), random), StandardCharsets.ISO_8859_1);
      EdgeRequest spoiled =
          new EdgeRequest("GET", sent.origin(), sent.path(), query, sent.headers(), sent.body(), sent.client());
      var reading = reader.logoutRequest(spoiled, SamlFixtures.partners(SamlFixtures.spMetadata()));
      if (reading instanceof Result.Accepted(var received)) {
        assertThat(received.message()).as("seed %d, round %d", seed, i).isEqualTo(message);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {6, 7})
  void spoiledMetadata(long seed) {
    Random random = new Random(seed);
    MetadataCodec codec = new CanonicalMetadataCodec();
    byte[] metadata = MetadataCodecTest.ourIdp();
    var certificate = Optional.of(SamlFixtures.idpKey().certificate());
    var honest = codec.read(metadata, SamlFixtures.IDP, certificate, SamlFixtures.NOW);
    for (int i = 0; i < 1_000; i++) {
      var reading = codec.read(spoil(metadata, random), SamlFixtures.IDP, certificate, SamlFixtures.NOW);
      if (reading instanceof Result.Accepted<PartnerMetadata, SamlRefusal>) {
        assertThat(reading).as("seed %d, round %d", seed, i).isEqualTo(honest);
      }
    }
  }

  /** Parsers are pooled: no message may see another's. */
  @Test
  void manyAtOnce() throws Exception {
    List<EdgeRequest> requests = new ArrayList<>();
    List<List<Assertion>> expected = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      var response =
          SamlFixtures.response(
              Optional.of("_r"), List.of(SamlFixtures.assertion("_assertion-" + i, Optional.of("_r"))));
      requests.add(
          Forgery.posted(
              "SAMLResponse", Forgery.response(response, SamlWriter.Signed.BOTH).getBytes(StandardCharsets.UTF_8)));
      expected.add(response.assertions());
    }
    requests.add(Forgery.posted("SAMLResponse", "<a><b".getBytes(StandardCharsets.UTF_8)));
    var partners = SamlFixtures.partners(SamlFixtures.idpMetadata());
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Result<ReceivedResponse, SamlRefusal>>> calls = new ArrayList<>();
      for (int i = 0; i < 900; i++) {
        EdgeRequest request = requests.get(i % 9);
        calls.add(() -> reader.response(request, partners));
      }
      int i = 0;
      for (Future<Result<ReceivedResponse, SamlRefusal>> result : threads.invokeAll(calls)) {
        int which = i++ % 9;
        if (which == 8) {
          assertThat(Forgery.reason(result.get())).isEqualTo(SamlRefusal.Reason.XML_NOT_WELL_FORMED);
        } else {
          assertThat(Forgery.accepted(result.get()).assertions()).isEqualTo(expected.get(which));
        }
      }
    }
  }

  /** Makes one to three changes: a changed byte, an inserted piece, a removed or repeated stretch. */
  private static byte[] spoil(byte[] document, Random random) {
    byte[] spoiled = document.clone();
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      int at = random.nextInt(spoiled.length);
      int to = Math.min(spoiled.length, at + random.nextInt(40));
      byte[] piece = PIECES[random.nextInt(PIECES.length)].getBytes(StandardCharsets.UTF_8);
      switch (random.nextInt(4)) {
        case 0 -> spoiled[at] = (byte) random.nextInt(256);
        case 1 -> spoiled = joined(Arrays.copyOf(spoiled, at), piece, Arrays.copyOfRange(spoiled, at, spoiled.length));
        case 2 -> spoiled = joined(Arrays.copyOf(spoiled, at), Arrays.copyOfRange(spoiled, to, spoiled.length));
        default -> spoiled = joined(Arrays.copyOf(spoiled, to), Arrays.copyOfRange(spoiled, at, spoiled.length));
      }
    }
    return spoiled;
  }

  private static byte[] joined(byte[]... parts) {
    byte[] whole = new byte[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, whole, at, part.length);
      at += part.length;
    }
    return whole;
  }
}
