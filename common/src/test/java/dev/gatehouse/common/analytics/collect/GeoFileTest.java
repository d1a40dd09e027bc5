package dev.gatehouse.common.analytics.collect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeoFileTest {

  @Test
  void aReplacedFileOfPlacesIsUsedAndABrokenOneIsNot(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("city.mmdb");
    TestTime time = new TestTime();
    try (GeoFile geo = new GeoFile(file, time)) {
      InetAddress address = InetAddress.ofLiteral("10.0.0.1");
      assertThat(geo.find(address)).isEmpty();
      new PlacesFile().city(10, "Berlin", "DE", 52.5, 13.4).write(file);
      time.advance(Duration.ofMinutes(1));
      assertThat(geo.find(address)).get().extracting(Places.Place::name).isEqualTo("Berlin, DE");
      assertThat(geo.find(InetAddress.ofLiteral("2001:db8::1"))).isEmpty();
      Path broken = Files.writeString(folder.resolve("broken"), "no such file");
      Files.setLastModifiedTime(broken, FileTime.from(TestTime.START));
      Files.move(broken, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      time.advance(Duration.ofMinutes(1));
      assertThat(geo.find(address)).get().extracting(Places.Place::name).isEqualTo("Berlin, DE");
    }
  }
}
