package dev.gatehouse.common.metric;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** The histograms of one name, by the values of their labels. */
public final class HistogramFamily implements MetricFamily {

  private final String name;
  private final String description;
  private final List<String> labels;
  private final Map<List<String>, Histogram> histograms = new HashMap<>();

  private HistogramFamily(String name, String description, List<String> labels) {
    this.name = name;
    this.description = description;
    this.labels = labels;
  }

  /** Begins a family of durations. */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  /** A family that nobody reads, for tests and for configurations that are only looked at. */
  public static HistogramFamily unread(String... labels) {
    return new HistogramFamily("unread", "", List.of(labels));
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

    public HistogramFamily register(MetricFamilies all) {
      HistogramFamily family = new HistogramFamily(name, description, List.copyOf(labels));
      all.add(family);
      return family;
    }
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

  /** The histogram with these values of the labels, which the caller keeps. */
  public synchronized Histogram of(List<String> values) {
    if (values.size() != labels.size()) {
      throw new IllegalArgumentException(name + " has the labels " + labels);
    }
    return histograms.computeIfAbsent(List.copyOf(values), created -> new Histogram());
  }

  public Histogram of(String... values) {
    return of(List.of(values));
  }

  /** Adds a histogram that its owner made. */
  public synchronized HistogramFamily with(Histogram histogram, String... values) {
    histograms.put(List.of(values), histogram);
    return this;
  }

  /** Removes the histograms of other values. */
  synchronized void retain(Predicate<List<String>> kept) {
    histograms.keySet().removeIf(kept.negate());
  }

  /** Passes on each histogram with the values of its labels. */
  public void forEach(BiConsumer<List<String>, Histogram> to) {
    Map<List<String>, Histogram> now;
    synchronized (this) {
      now = Map.copyOf(histograms);
    }
    now.forEach(to);
  }
}
