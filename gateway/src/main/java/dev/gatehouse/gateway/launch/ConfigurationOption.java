package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.file.Configuration;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which configuration a command means. */
final class ConfigurationOption {
  @Option(
      names = "--config",
      paramLabel = "DIR",
      description = "Folder with gatehouse.yaml and realms/; the demo's where it is not given.")
  private Optional<Path> config = Optional.empty();

  /** The valid configuration; throws {@link StartRefused} with its problems. */
  Configuration load() {
    Path home = Path.of(System.getenv().getOrDefault("GATEHOUSE_HOME", "."));
    return load(config.orElse(home.resolve("var/demo/config")));
  }

  static Configuration load(Path folder) {
    try {
      return new ConfigurationFiles(folder, System.getenv()).load();
    } catch (ConfigurationInvalid e) {
      throw new StartRefused(e.problems().stream().map(Problem::toString).toList());
    }
  }
}
