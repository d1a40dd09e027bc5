package dev.gatehouse.gateway.launch;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version from the jar's manifest, and the Java version. */
final class BuildVersion implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {
      "Gatehouse " + number(), "Java " + Runtime.version() + " (" + System.getProperty("java.vm.vendor") + ")"
    };
  }

  static String number() {
    return Optional.ofNullable(Launcher.class.getPackage().getImplementationVersion()).orElse("(unpackaged)");
  }
}
