package dev.gatehouse.common.fuzz;

import dev.gatehouse.common.crypto.PemFuzz;
import dev.gatehouse.common.directory.PersonFilterFuzz;
import dev.gatehouse.common.http.ParametersFuzz;
import dev.gatehouse.common.jose.JwksFuzz;
import dev.gatehouse.common.jose.JwtFuzz;
import dev.gatehouse.common.proxy.ForwardedFuzz;
import dev.gatehouse.common.proxy.ProxyHeaderFuzz;
import dev.gatehouse.common.saml.encryption.DecryptedContentFuzz;
import dev.gatehouse.common.saml.encryption.EncryptedResponseFuzz;
import dev.gatehouse.common.saml.message.ArtifactFuzz;
import dev.gatehouse.common.saml.message.ArtifactResponseFuzz;
import dev.gatehouse.common.saml.message.AuthnRequestFuzz;
import dev.gatehouse.common.saml.message.RedirectFuzz;
import dev.gatehouse.common.saml.message.ResponseFuzz;
import dev.gatehouse.common.saml.message.SoapFuzz;
import dev.gatehouse.common.saml.metadata.MetadataFuzz;
import dev.gatehouse.common.saml.xml.PlainXmlFuzz;
import dev.gatehouse.common.throttle.LoginNamesFuzz;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Fuzzes every parser of outside input in this module briefly; {@code ./gatehouse fuzz} does it longer. */
class FuzzTest {

  private static final List<Class<?>> TARGETS =
      List.of(
          ArtifactFuzz.class,
          ArtifactResponseFuzz.class,
          AuthnRequestFuzz.class,
          DecryptedContentFuzz.class,
          EncryptedResponseFuzz.class,
          ForwardedFuzz.class,
          JwksFuzz.class,
          JwtFuzz.class,
          LoginNamesFuzz.class,
          MetadataFuzz.class,
          ParametersFuzz.class,
          PemFuzz.class,
          PersonFilterFuzz.class,
          PlainXmlFuzz.class,
          ProxyHeaderFuzz.class,
          RedirectFuzz.class,
          ResponseFuzz.class,
          SoapFuzz.class);

  @TestFactory
  Stream<DynamicTest> targets() {
    return Fuzzing.tests(TARGETS);
  }
}
