package dev.gatehouse.common.metric;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Counts or levels that are read when somebody asks; which labels there are may change at any time. */
public final class SampleFamily implements MetricFamily {

  private final String name;
  private final String description;
  private final List<String> labels;
  private final boolean counter;
  private final Supplier<Map<List<String>, Double>> samples;

  private SampleFamily(Builder from, boolean counter, Supplier<Map<List<String>, Double>> samples) {
    this.name = from.name;
    this.description = from.description;
    this.labels = List.copyOf(from.labels);
    this.counter = counter;
    this.samples = samples;
  }

  public static Builder builder(String name) {
    return new Builder(name);
  }

  /** Collects the properties of a family. */
  public static final class Builder {
    private final String name;
    private final List<String> labels = new ArrayList<>();
    private String description = "";

    private Builder(String name) {
      this.name = name;
    }

    public Builder description(String text) {
      description = text;
      return this;
    }

    /** Adds a label. */
    public Builder tag(String label) {
      labels.add(label);
      return this;
    }

    /** Levels, which rise and fall. */
    public SampleFamily gauge(Supplier<Map<List<String>, Double>> samples) {
      return new SampleFamily(this, false, samples);
    }

    /** Counts since the start. */
    public SampleFamily counter(Supplier<Map<List<String>, Double>> samples) {
      return new SampleFamily(this, true, samples);
    }
  }

  public SampleFamily register(MetricFamilies all) {
    all.add(this);
    return this;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public List<String> labels() {
    return labels;
  }

  public boolean isCounter() {
    return counter;
  }

  /** The values now, by the values of the labels. */
  public Map<List<String>, Double> samples() {
    return samples.get();
  }

  /** Sums samples by a label; beyond so many values of it, further ones are {@link StatusTimers#OTHER}. */
  public static final class Sums {
    private final int most;
    private final Map<List<String>, Double> sums = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));

    public Sums(int most) {
      this.most = most;
    }

    public Sums add(String label, double value) {
      List<String> key = List.of(label);
      boolean own = sums.containsKey(key) || sums.size() < most;
      sums.merge(own ? key : List.of(StatusTimers.OTHER), value, Double::sum);
      return this;
    }

    public Map<List<String>, Double> get() {
      return sums;
    }
  }
}
