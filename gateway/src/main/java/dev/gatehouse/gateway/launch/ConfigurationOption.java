package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.file.Configuration;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The configuration that a command uses. */
final class ConfigurationOption {
  @Option(
      names = "--config",
      paramLabel = "DIR",
      description = "Folder with gatehouse.yaml and realms/; default: the demo's.")
  private Optional<Path> config = Optional.empty();

  /**
   * Loads the configuration.
   *
   * @throws StartRefused with all problems if it is invalid
   */
  Configuration load() {
    return load(folder());
  }

  /** Returns the folder. */
  Path folder() {
    Path home = Path.of(System.getenv().getOrDefault("GATEHOUSE_HOME", "."));
    return config.orElse(home.resolve("var/demo/config"));
  }

  static Configuration load(Path folder) {
    try {
      return new ConfigurationFiles(folder, System.getenv()).load();
    } catch (ConfigurationInvalid e) {
      throw new StartRefused(e.problems().stream().map(Problem::toString).toList());
    }
  }

  /** Loads the node's part; realms too where they are files. */
  static Configuration loadNode(Path folder) {
    try {
      return new ConfigurationFiles(folder, System.getenv()).loadNode();
    } catch (ConfigurationInvalid e) {
      throw new StartRefused(e.problems().stream().map(Problem::toString).toList());
    }
  }
}
