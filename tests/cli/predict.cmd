printf 'nodes,energy_kwh\n130,7.6\n135,7.9\n220,7.6\n' >history.csv; orrery predict history.csv --y energy_kwh --x nodes --at 320,135,150
printf 'gpus,sched,time_s\n1,dmda,8\n2,dmda,4.2\n2,dmda,4.4\n2,lws,9\n4,dmda,\n8,dmda,1.4\n' >history.csv; orrery predict history.csv --y time_s --x gpus --only sched=dmda --at 2:16:2
printf 'gpus,time_s\n1,8\n2,4\n4,2\n8,1\n' >history.csv; orrery predict history.csv --y time_s --x gpus --at 3 --rmse 0.01 --format json; orrery predict history.csv --y time_s --x gpus --at 1,3 --rmse 2 --format csv
printf 'gpus,time_s\n1,8\n2,4\n4,2\n' >history.csv; orrery predict history.csv --y time_s --x gpus --at 8,400,401,500
printf 'gpus,time_s\n2,8\n' >history.csv; orrery predict history.csv --y time_s --x gpus --at 2; orrery predict history.csv --y time_s --x gpus --at 2,4
orrery predict history.csv --y time_s --x gpus --at 1
printf 'gpus,time_s\n1,8\n2,fast\n' >history.csv; orrery predict history.csv --y time_s --x gpus --at 1; orrery predict history.csv --y time --x gpus --at 1; orrery predict history.csv --y time_s --x gpus --at 1 --only sched=dmda
orrery predict history.csv --y time_s --at 1
orrery predict history.csv --y time_s --x gpus --at 1,b
orrery predict history.csv --y time_s --x gpus --at 1 --only dmda
orrery predict history.csv --y time_s --x gpus --at 1 --rmse -1
orrery predict
