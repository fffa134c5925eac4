# Client Lab with all it needs: `docker build --tag client-lab .`, then
# `docker run --init --rm --publish 127.0.0.1:8888:8888 client-lab`, which prints the address to open.
FROM eclipse-temurin:25-jdk-noble

# Maven builds the jars; PNG figures are drawn with the machine's fonts.
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
      python3 python3-venv maven fontconfig fonts-dejavu-core iproute2 \
 && rm -rf /var/lib/apt/lists/*

RUN useradd --create-home --shell /bin/bash reader
USER reader
RUN mkdir /home/reader/client-lab
WORKDIR /home/reader/client-lab
COPY --chown=reader:reader . .
RUN ./lab prefetch

# Inside the container every address is the container's own; what reaches it from outside is said by --publish.
EXPOSE 8888
CMD ["./lab", "notebook", "--no-browser", "--listen", "0.0.0.0:8888"]
