package dev.gatehouse.common.fuzz;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.gatehouse.common.crypto.PemFuzz;
import dev.gatehouse.common.directory.PersonFilterFuzz;
import dev.gatehouse.common.http.ParametersFuzz;
import dev.gatehouse.common.jose.JwksFuzz;
import dev.gatehouse.common.jose.JwtFuzz;
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
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fuzzes every parser of outside input in this module briefly; {@code ./gatehouse fuzz} does it longer. */
class FuzzTest {

  @ParameterizedTest
  @ValueSource(
      classes = {
        ArtifactFuzz.class,
        ArtifactResponseFuzz.class,
        AuthnRequestFuzz.class,
        DecryptedContentFuzz.class,
        EncryptedResponseFuzz.class,
        JwksFuzz.class,
        JwtFuzz.class,
        LoginNamesFuzz.class,
        MetadataFuzz.class,
        ParametersFuzz.class,
        PemFuzz.class,
        PersonFilterFuzz.class,
        PlainXmlFuzz.class,
        RedirectFuzz.class,
        ResponseFuzz.class,
        SoapFuzz.class,
      })
  void fuzz(Class<?> target) throws IOException, InterruptedException {
    assumeFalse(Fuzzing.isLeftOut(target), "another target was asked for");
    Fuzzing.run(target);
  }
}
