package dev.gatehouse.gateway.launch;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar's manifest, and what it runs on. */
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
