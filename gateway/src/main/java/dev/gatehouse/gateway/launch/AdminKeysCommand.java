package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import picocli.CommandLine.Command;

/** {@code ./gatehouse keys admin}. */
@Command(
    name = "admin",
    mixinStandardHelpOptions = true,
    description = {
      "Keys for the REST API under /admin/v1/.",
      "A new key is printed once and stored only as a digest; a running node accepts it from its next request on."
    })
final class AdminKeysCommand extends NamedKeysCommand {

  @Override
  NamedKeys keys(Path data) {
    return new AdministratorKeys(data, InstantSource.system(), new SecureRandom());
  }
}
