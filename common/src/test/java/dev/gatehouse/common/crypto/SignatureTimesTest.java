package dev.gatehouse.common.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.crypto.SignatureTimes.Signed;
import dev.gatehouse.common.metric.Histogram;
import dev.gatehouse.common.metric.HistogramFamily;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SignatureTimesTest {

  private final MetricFamilies families = MetricFamilies.unpublished();

  SignatureTimesTest() {
    SignatureTimes.publish(families);
  }

  private double running() {
    SampleFamily family =
        families.families().stream().filter(SampleFamily.class::isInstance).map(SampleFamily.class::cast).findAny().orElseThrow();
    return family.samples().values().stream().mapToDouble(value -> value).sum();
  }

  private long count(String message) {
    Map<List<String>, Histogram> found = new HashMap<>();
    families.families().stream()
        .filter(HistogramFamily.class::isInstance)
        .forEach(family -> ((HistogramFamily) family).forEach(found::put));
    return LongStream.of(found.getOrDefault(List.of(message), new Histogram()).counts()).sum();
  }

  @Test
  void aSignatureIsCountedByWhatItSignsAndRunsUntilItIsMade() throws GeneralSecurityException {
    long saml = count("saml");
    long token = count("token");
    AtomicReference<Double> during = new AtomicReference<>(0.0);
    SignatureTimes.timed(
        Signed.TOKEN,
        () -> {
          during.set(running());
          return new byte[0];
        });
    assertThat(count("token")).isEqualTo(token + 1);
    assertThat(count("saml")).isEqualTo(saml);
    assertThat(during.get()).isGreaterThanOrEqualTo(1);
  }

  @Test
  void aSignatureThatFailsNoLongerRuns() {
    double before = running();
    long saml = count("saml");
    assertThatThrownBy(
            () ->
                SignatureTimes.timed(
                    Signed.SAML,
                    () -> {
                      throw new GeneralSecurityException("no such key");
                    }))
        .hasMessage("no such key");
    assertThat(running()).isEqualTo(before);
    assertThat(count("saml")).isEqualTo(saml + 1);
  }
}
