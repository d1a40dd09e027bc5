package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.key.KeyPlace;
import dev.gatehouse.common.key.NamedKeys;
import dev.gatehouse.common.key.RegistrationKeys;
import java.security.SecureRandom;
import java.time.InstantSource;
import picocli.CommandLine.Command;

/** {@code ./gatehouse keys registration}. */
@Command(
    name = "registration",
    mixinStandardHelpOptions = true,
    description = {
      "Initial access tokens, which permit the registration of OAuth clients at /realms/NAME/connect/register.",
      "A new key is printed once and stored only as a digest; a running node accepts it from its next request on."
    })
final class RegistrationKeysCommand extends NamedKeysCommand {

  @Override
  NamedKeys keys(KeyPlace place) {
    return new RegistrationKeys(place, InstantSource.system(), new SecureRandom());
  }
}
