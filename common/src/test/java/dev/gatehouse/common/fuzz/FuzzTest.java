package dev.gatehouse.common.fuzz;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.gatehouse.common.directory.PersonFilterFuzz;
import dev.gatehouse.common.http.ParametersFuzz;
import dev.gatehouse.common.jose.JwksFuzz;
import dev.gatehouse.common.jose.JwtFuzz;
import dev.gatehouse.common.key.PemFuzz;
import dev.gatehouse.common.saml.ArtifactFuzz;
import dev.gatehouse.common.saml.ArtifactResponseFuzz;
import dev.gatehouse.common.saml.AuthnRequestFuzz;
import dev.gatehouse.common.saml.DecryptedContentFuzz;
import dev.gatehouse.common.saml.EncryptedResponseFuzz;
import dev.gatehouse.common.saml.MetadataFuzz;
import dev.gatehouse.common.saml.PlainXmlFuzz;
import dev.gatehouse.common.saml.RedirectFuzz;
import dev.gatehouse.common.saml.ResponseFuzz;
import dev.gatehouse.common.saml.SoapFuzz;
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
